/** The end of a log, for an error that a person reads. */
export const tail = (text: string, lines = 20): string => text.trimEnd().split('\n').slice(-lines).join('\n')
