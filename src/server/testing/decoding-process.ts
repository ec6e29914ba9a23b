/** Process that decodes the image in its arguments, as the server does. */
import { readFileSync } from 'node:fs'
import { decode } from '#server/images/decoder.ts'

const decoding = decode(readFileSync(process.argv[2] ?? ''))
console.log('decoding')
await decoding
