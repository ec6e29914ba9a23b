/** Loads all parts of the player at once, for the server and the preview. */
import './bundles/formats.ts'
import './bundles/grids.ts'
import './bundles/options.ts'
import './bundles/phones.ts'
import './bundles/second-file-parts.ts'
import './bundles/texts.ts'
import './bundles/variants.ts'
import './bundles/wording.ts'
