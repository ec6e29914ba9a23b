import metadata from 'libphonenumber-js/min/metadata'
import type { Plugin } from 'vite'
import { reduceMetadata } from '#domain/common/phone-metadata.ts'

/** Module of the library for phone numbers that contains its metadata of all countries. */
const METADATA_MODULE = /\/libphonenumber-js\/metadata\.min\.json\.js$/

/** Returns a Vite plugin that replaces the metadata of all countries with those that the public page reads. */
export const phoneMetadata = (): Plugin => {
  let isReplaced = false
  return {
    name: 'phone-metadata',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!METADATA_MODULE.test(id)) return null
      isReplaced = true
      return `export default ${JSON.stringify(reduceMetadata(metadata))}`
    },
    buildEnd() {
      if (!isReplaced)
        this.error('The library for phone numbers has its metadata in another module')
    },
  }
}
