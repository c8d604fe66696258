export type Row = readonly string[]

export declare function parseCsv(text: string): Row[]
