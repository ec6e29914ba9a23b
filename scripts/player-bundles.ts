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

/** Returns the names of shared.ts in the order of its list. */
const readSharedNames = (source: string): string[] =>
  (/SHARED = \[([^\]]*)\]/.exec(source)?.[1] ?? '').match(/\w+/g) ?? []

/**
 * Makes the bundles that join a page take from its script what shared.ts lists. Each module of the list is replaced by a
 * proxy, whose other exports are those of the module.
 */
export const shareModules = (): Plugin => {
  const shared = new Map<string, string[]>()
  let places: string[] = []
  return {
    name: 'share-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name in BUNDLES,
    async buildStart() {
      const source = readFileSync(SHARED, 'utf8')
      places = readSharedNames(source)
      for (const [, names = '', path = ''] of source.matchAll(IMPORT)) {
        const found = await this.resolve(path, SHARED)
        if (found) shared.set(found.id, names.match(/\w+/g) ?? [])
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
      const lines = (shared.get(file) ?? []).map(
        (name) => `export const ${name} = globalThis.quizaine[${places.indexOf(name)}]`,
      )
      return [...lines, `export * from '${file}${OWN}'`].join('\n')
    },
  }
}

/** Module whose constants the minifier inlines, and whose unused lists it removes. */
const CONSTANTS = 'domain/common/vocabulary.ts'

/**
 * Names that two scripts may contain, because neither script is in every page: the names of insertions of dimensions,
 * and the normalisation of names and addresses.
 */
const ALLOWED_TWICE = [
  ...['EXTREME_INSERTIONS', 'dimensionInsertion'].map(
    (name) => `${name} of domain/questionnaire/dimensions.ts`,
  ),
  ...['MARKS', 'normalizeText'].map((name) => `${name} of domain/common/normalize-text.ts`),
]

/** A declaration at the top level of a module in a bundle. */
const DECLARATION = /^(?:export )?(?:const|let|var|function|class|async function) (\w+)/gm

/**
 * Fails the build if two scripts of a page contain the same function or value of a module of `src/`. Such a name
 * belongs to the list of shared.ts.
 */
export const noModuleTwice = (): Plugin => {
  const owners = new Map<string, string>()
  return {
    name: 'no-module-twice',
    applyToEnvironment: ({ name }) => name === 'client' || name in BUNDLES,
    generateBundle(_, bundle) {
      const twice: string[] = []
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk' || OWN_PAGE_SCRIPTS.includes(file.name)) continue
        for (const [id, { code }] of Object.entries(file.modules)) {
          const path = id.replace(OWN, '').split('/src/')[1]
          if (!path || path === CONSTANTS || id.startsWith(PROXY)) continue
          for (const [, name] of (code ?? '').matchAll(DECLARATION)) {
            const key = `${name} of ${path}`
            const owner = owners.get(key)
            if (owner && !ALLOWED_TWICE.includes(key))
              twice.push(`${key} is in ${owner} and in ${file.name}`)
            owners.set(key, file.name)
          }
        }
      }
      if (twice.length > 0) this.error(`Code is bundled twice:\n${twice.join('\n')}`)
    },
  }
}

/** Scripts of frames, which share no page element with the player. */
const OWN_PAGE_SCRIPTS = ['framed', 'embed']

/**
 * Bundles that join a page, by the name of their environment. The scripts of the page load those in `assets`; the others
 * are inlined.
 */
export const BUNDLES: Record<string, string> = {
  second_file: 'assets/player-[hash].js',
  phone_reading: 'assets/player-phones-[hash].js',
  email_slips: 'assets/player-emails-[hash].js',
  options: 'options.js',
  formats: 'formats.js',
  phones: 'phones.js',
  texts: 'texts.js',
  variants: 'variants.js',
  grids: 'grids.js',
  wording: 'wording.js',
  auto_advance: 'auto_advance.js',
}

/** Gives the parts of a page a scope of their own, because they follow the page's script in one element. */
export const scopeOfParts: Plugin = {
  name: 'scope-of-parts',
  applyToEnvironment: ({ name }) => name in BUNDLES && !(name in ADDRESSES),
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = `;(()=>{${file.code.trim()}})()`
  },
}

/** Names that stand for the addresses of loaded files in other scripts, by the environment of the file. */
const ADDRESSES: Record<string, string> = {
  second_file: 'SECOND_FILE_ADDRESS',
  phone_reading: 'PHONE_READING_ADDRESS',
  email_slips: 'EMAIL_SLIPS_ADDRESS',
}
/** Declaration or use of such a name. */
const ADDRESS_NAME =
  /(declare const )?\b(SECOND_FILE_ADDRESS|PHONE_READING_ADDRESS|EMAIL_SLIPS_ADDRESS)\b/g

/**
 * Writes the addresses of loaded files into the scripts that load them. The digest of a loading script therefore includes
 * the address.
 */
export const addressesOfFiles = (): Plugin => {
  const addresses = new Map<string, string>()
  return {
    name: 'addresses-of-files',
    enforce: 'pre',
    applyToEnvironment: ({ name }) =>
      ['client', 'prefilled', 'invited'].includes(name) || name in BUNDLES,
    transform(code) {
      const written = code.replaceAll(ADDRESS_NAME, (found, declaration, name) => {
        if (declaration) return found
        const address = addresses.get(name)
        return address
          ? JSON.stringify(address)
          : this.error(`The file of ${name} must be built first`)
      })
      return written === code ? null : { code: written, map: null }
    },
    generateBundle(_, bundle) {
      const name = ADDRESSES[this.environment.name]
      for (const file of Object.values(bundle))
        if (name && file.type === 'chunk') addresses.set(name, `/${file.fileName}`)
    },
  }
}

/**
 * Names of properties that exist only in the scripts of the page: props, parts and rules. All bundles shorten them
 * alike. A name of the data, of the saved run or of the browser must never be here.
 */
const OWN_PROPERTIES = [
  'question run insertions children className links page props child_nodes rules pages items field dom',
  'is_live tag error_message reply current parts outcome restart show wordingOf read orderAnswers noscript store write',
  'seconds resend has_lost stay keep htmlFor defaultChecked is_kept actions text_block box',
  'invalid_field was_blocked page_count is_first is_last end_label hidden_fields consent_reply hasHint',
  'max_height goBack onBeforeEnd onFailure focusQuestion toggleContrast is_strong renderAfterEnd goTo',
  'sendAll isKept onOutcome is_sending timer forget follow onNavigate isSkipped lowest_score',
  'falls_back_to_first needs_every_answer always_shows_progress Picture Explanation',
  'EndExtras ShareLink resultDetail createRedirect mayLeave RichTextElement FilledLine',
  'insertionsOf fillInsertions fillAddress linkedText Scale ChoiceHint ClearChoice OtherChoice',
  'fullBoxProps findBlankOther isUnchosenOther readDecimals findBadInput missingTextError shuffled normalizeDecimals Variants isActive formatProps formatError cleanFields FieldNote',
  'dimensionInsertions dimensionScores quiz_path renderItems',
  'freezeReplies PageSummary QuestionCorrection correction describeRefusal offerSavedRun protectTexts had_run',
  'phoneProps PhoneNote describePhone loadPhoneReading updateReading currentReading completeYears container schedule dismiss enqueue onRunChange onRedirectChange',
  'emailProps updateSuggestion loadEmailSlips',
].flatMap((line) => line.split(' '))
/** Shortened names that may be attributes: props of the JSX runtime, and attributes that the player never sets. */
const SAFE_ATTRIBUTES = ['className', 'htmlFor', 'defaultChecked', 'children', 'rules', 'restart']

/** Fails the build if a shortened name is an attribute of HTML, because elements would get the short name instead. */
export const noShortAttribute: Plugin = {
  name: 'no-short-attribute',
  buildStart() {
    const types = readFileSync(
      join(import.meta.dirname, '../node_modules/@types/react/index.d.ts'),
      'utf8',
    )
    const attributes = [...types.matchAll(/interface \w*Attributes\b[^{]*\{([\s\S]*?)\n {4}\}/g)]
      .flatMap(([, body = '']) => [...body.matchAll(/^\s+(\w+)\?:/gm)])
      .map(([, name = '']) => name)
    if (!attributes.includes('step')) this.error('The types of React list no attributes')
    const found = OWN_PROPERTIES.filter(
      (name) => attributes.includes(name) && !SAFE_ATTRIBUTES.includes(name),
    )
    if (found.length > 0)
      this.error(`Attributes of HTML must keep their names: ${found.join(', ')}`)
  },
}

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
    passes: 6,
    inline: 1,
    conditionals: false,
    pure_getters: true,
    unsafe_arrows: true,
    unsafe_methods: true,
    sequences: false,
    collapse_vars: true,
  },
}
