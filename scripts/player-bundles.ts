/** The bundles of the player, and the plugins that join them to the script of a page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildEnvironmentOptions, Plugin } from 'vite'

/** Folder of the player's sources. */
export const PLAYER = 'src/web/player'
const SHARED = join(import.meta.dirname, '..', PLAYER, 'shared.ts')
const IMPORT = /import \{([^}]*)\} from '([^']+)'/g
/** Marks for the proxy of a module and for the module behind it. */
const PROXY = '\0shared:'
const OWN = '?own'

/**
 * Makes the bundles that join a page take from its script what shared.ts lists. Each module of the list is replaced by a
 * proxy, whose other exports are those of the module.
 */
export const shareModules = (): Plugin => {
  const shared = new Map<string, string[]>()
  return {
    name: 'share-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name in BUNDLES,
    async buildStart() {
      for (const [, names = '', path = ''] of readFileSync(SHARED, 'utf8').matchAll(IMPORT)) {
        const found = await this.resolve(path, SHARED)
        if (found)
          shared.set(
            found.id,
            names
              .split(',')
              .map((name) => name.trim())
              .filter(Boolean),
          )
      }
    },
    async resolveId(path, importer) {
      if (path.endsWith(OWN)) return path
      const found = importer && (await this.resolve(path, importer, { skipSelf: true }))
      return found && shared.has(found.id) ? PROXY + found.id : undefined
    },
    load(id) {
      if (!id.startsWith(PROXY)) return undefined
      const file = id.slice(PROXY.length)
      const names = shared.get(file) ?? []
      const lines = names.map((name) => `export const ${name} = globalThis.quizaine.${name}`)
      return [...lines, `export * from '${file}${OWN}'`].join('\n')
    },
  }
}

/** Bundles that join a page, by the name of their environment. The page's script loads `later`; the others are inlined. */
export const BUNDLES: Record<string, string> = {
  later: 'assets/player-[hash].js',
  options: 'options.js',
  texts: 'texts.js',
  variants: 'variants.js',
}

/** Gives the parts of a page a scope of their own, because they follow the page's script in one element. */
export const scopeOfParts: Plugin = {
  name: 'scope-of-parts',
  applyToEnvironment: ({ name }) => ['options', 'texts', 'variants'].includes(name),
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = `;(()=>{${file.code.trim()}})()`
  },
}

/** Address of the second file, which the bundle `later` decides. */
let later_address = ''

/** Writes the address of the second file into the page's script. */
export const addressOfLater: Plugin = {
  name: 'address-of-later',
  applyToEnvironment: ({ name }) => ['later', 'client'].includes(name),
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue
      if (this.environment.name === 'later') later_address = `/${file.fileName}`
      else if (later_address)
        file.code = file.code.replace(/\bLATER_ADDRESS\b/, JSON.stringify(later_address))
      else this.error('The second file must be built first')
    }
  },
}

/**
 * Names of properties that exist only in the scripts of the page: props, parts and rules. All bundles shorten them
 * alike. A name of the data, of the saved run or of the browser must never be here.
 */
const OWN_PROPERTIES = [
  'rules pages items outcome reason seconds restart stay store read write children className',
  'htmlFor defaultChecked props kids is_kept insertions orderAnswers is_live noscript actions',
  'fault wrong was_blocked page_count is_first is_last end_label hidden_fields agreed hasHint',
  'max_height goBack focusQuestion toggleContrast is_strong is_extended renderAfterEnd goTo',
  'sendAll isKept onSettled onRefused forget follow onTravel isSkipped mayEnd lowest_score',
  'falls_back_to_first needs_every_answer always_shows_progress Picture Explanation',
  'Continuation ShareLink resultDetail createRedirect mayLeave RichTextElement FilledLine',
  'insertionsOf fillInsertions fillAddress linkedText Scale ChoiceHint ClearChoice OtherChoice',
  'fullBoxProps findBlankOther missingTextError shuffled Fragment jsx jsxs parts PlaceOfPicture',
  'CreatorText ChoiceGroup partId tiePunctuation isBlankText trimText linkButtonOf isChoice',
  'inResultOrder createIsPageSkipped canChooseSeveral formatReply maxChoicesOf OTHER OTHER_NAME',
  'otherField otherText scaleOf profileTotals pointsOf visitedQuestions totalScore is_framed quiz_path normalizeDecimals',
].flatMap((line) => line.split(' '))
const A = 65
const LETTERS = 26
/** Returns a name of one or two letters, of which no property of browsers has the form. */
const shortName = (index: number): string => {
  const letter = String.fromCharCode(A + (index % LETTERS))
  return index < LETTERS ? letter : letter + Math.floor(index / LETTERS)
}

/** Options of the player's scripts. Terser makes them 2 % smaller than the minifier of Vite does. */
export const TERSER: BuildEnvironmentOptions['terserOptions'] = {
  module: true,
  ecma: 2020,
  mangle: {
    properties: { builtins: true, regex: new RegExp(`^(?:${OWN_PROPERTIES.join('|')})$`) },
  },
  nameCache: {
    props: {
      props: Object.fromEntries(
        OWN_PROPERTIES.map((name, index) => [`$${name}`, shortName(index)]),
      ),
    },
  },
  // Each option was measured and makes the compressed page smaller.
  compress: {
    passes: 3,
    pure_getters: true,
    collapse_vars: false,
    unsafe_arrows: true,
    unsafe_methods: true,
  },
}
