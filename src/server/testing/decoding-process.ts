/** Process that decodes the image file in its argument with the server's decoder. */
import { readFileSync } from 'node:fs'
import { decode } from '#server/images/decoder.ts'

const decoding = decode(readFileSync(process.argv[2] ?? ''))
console.log('decoding')
await decoding
