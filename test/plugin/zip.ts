/** Reads what a framework has zipped. */
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

/** The texts of all files in a zip, by path. Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3. */
export function filesIn(path: string): Readonly<Record<string, string>> {
  const zip = readFileSync(path)
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  const files: Record<string, string> = {}
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ]
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const header = zip.readUInt32LE(at + 42)
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    files[name] = (zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes)).toString()
    at += 46 + nameLength + extraLength + commentLength
  }
  return files
}
