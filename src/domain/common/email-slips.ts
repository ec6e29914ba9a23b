import { MAX_EMAIL_LENGTH } from './vocabulary.ts'

/** Typing slips in the domain of an email address. */

/**
 * Names of the most used mailbox providers of France, Belgium, Switzerland, Luxembourg, Québec and the world, with the
 * endings of their addresses. The most used ending comes first.
 */
export const PROVIDERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gmail: 'com',
    orange: 'fr',
    hotmail: 'com fr be ch ca',
    free: 'fr',
    wanadoo: 'fr',
    outlook: 'com fr be',
    yahoo: 'fr com ca',
    icloud: 'com',
    laposte: 'net',
    sfr: 'fr',
    live: 'fr com be ca',
    bbox: 'fr',
    neuf: 'fr',
    gmx: 'fr com ch net',
    msn: 'com',
    aol: 'com fr',
    protonmail: 'com ch',
    proton: 'me',
    numericable: 'fr',
    aliceadsl: 'fr',
    'club-internet': 'fr',
    cegetel: 'net',
    nordnet: 'fr',
    noos: 'fr',
    googlemail: 'com',
    skynet: 'be',
    telenet: 'be',
    proximus: 'be',
    scarlet: 'be',
    brutele: 'be',
    belgacom: 'be',
    voo: 'be',
    bluewin: 'ch',
    hispeed: 'ch',
    sunrise: 'ch',
    netplus: 'ch',
    pt: 'lu',
    internet: 'lu',
    videotron: 'ca qc.ca',
    sympatico: 'ca',
    bell: 'net',
    bellnet: 'ca',
    cogeco: 'ca',
    cgocable: 'ca',
    globetrotter: 'net',
  }),
)

/** Names of other domains that a slip could make of a provider, such as mail.com. Addresses there are right. */
export const OTHER_NAMES =
  ' mail gail cloud ucloud ocloud incloud range orage oranges hostmail proto bluewine highspeed scarlett proxima globetrotters interne intranet ptt '

/** Endings that are no top-level domain, by the ending that was meant. */
const ENDING_SLIPS: Readonly<Record<string, string>> = {
  com: ' con cmo ocm ocn comm coom ccom cpm clm cim ckm vom xom c0m com1 comn conm cmm ',
  fr: ' fe ft ff rf frr ffr fer fre fd fr1 vr ',
  net: ' nte ent nett neet nnet ner nrt nwt ',
  be: ' bee bbe eb ',
  ch: ' hc cch chh xh vh ',
  ca: ' caa cca ',
  lu: ' luu llu ul ',
  org: ' ogr orgg orrg rog ',
}

/** Parts of `.com` that are endings of other countries, where no provider with addresses in `.com` has mailboxes. */
const CUT_COM = ' co cm om c o m '

/** Neighbouring keys in the rows of AZERTY and QWERTY, and letters that are confused. */
const NEIGHBOURS =
  'azertyuiop qsdfghjklm wxcvbn qwertyuiop asdfghjkl zxcvbnm aq zw ck sz iy l1 o0 ea eo eu ei ao au ai ou'

const has = (words: string, word: string): boolean => words.includes(` ${word} `)

const areConfused = (first: string, second: string): boolean =>
  NEIGHBOURS.includes(first + second) || NEIGHBOURS.includes(second + first)

/** Minimum length of a name in which a missing or a wrong letter is a slip; shorter names resemble too many others. */
const MIN_LETTERS = 5
/** Minimum length of a name in which two slips are found. */
const MIN_LETTERS_FOR_TWO = 7

/**
 * Returns true if at most `left` slips lead from a name to the typed one: an extra, missing, wrong or swapped
 * letter. A wrong first letter must be the only slip. `nb_letters` is the length of the whole name.
 */
const isSlipOf = (typed: string, name: string, left: number, nb_letters = name.length): boolean => {
  let start = 0
  while (start < typed.length && typed[start] === name[start]) start++
  const [letter = '', meant = ''] = [typed[start], name[start]]
  if (letter === '' && meant === '') return true
  // Two slips in a row would make any letter of another one, as in lacoste.net.
  if (left === 0 || (start === 0 && name.length < nb_letters)) return false
  const goOn = (nb_typed: number, nb_meant: number, cost = 1): boolean =>
    cost <= left &&
    isSlipOf(typed.slice(start + nb_typed), name.slice(start + nb_meant), left - cost, nb_letters)
  const isDoubled = letter !== '' && (letter === typed[start - 1] || letter === typed[start + 1])
  const isSwapped = letter !== '' && letter === name[start + 1] && meant === typed[start + 1]
  if (nb_letters < MIN_LETTERS)
    return (isDoubled && goOn(1, 0)) || (isSwapped && nb_letters === MIN_LETTERS - 1 && goOn(2, 2))
  const isWrong = letter !== '' && meant !== '' && (isDoubled || areConfused(letter, meant))
  return (
    (letter !== '' && goOn(1, 0)) ||
    (meant !== '' && goOn(0, 1)) ||
    (isSwapped && goOn(2, 2)) ||
    (isWrong && goOn(1, 1, start === 0 ? left : 1))
  )
}

/** Returns the provider that was meant by a name; undefined if the name is another one. */
const providerOf = (name: string): string | undefined => {
  if (PROVIDERS.has(name)) return name
  if (has(OTHER_NAMES, name)) return undefined
  const candidates = [...PROVIDERS.keys()]
  for (const left of [1, 2]) {
    const found = candidates.find(
      (candidate) =>
        (left === 1 || candidate.length >= MIN_LETTERS_FOR_TWO) &&
        Math.abs(candidate.length - name.length) <= left &&
        isSlipOf(name, candidate, left),
    )
    if (found) return found
  }
  return undefined
}

/** Returns the ending that was meant at a provider; undefined if the typed ending may be right. */
const endingOf = (provider: string, typed: string, isExact: boolean): string | undefined => {
  const endings = endingsOf(provider)
  if (endings.includes(typed)) return typed
  if (endings.includes('com') && has(CUT_COM, typed)) return 'com'
  if (typed.length === 1) return endings.find((ending) => ending.includes(typed))
  // These providers have no address with another ending.
  return isExact && endings.join() === 'com' ? 'com' : undefined
}

const endingsOf = (provider: string): string[] => (PROVIDERS.get(provider) ?? '').split(' ')

const domainAt = (name: string, ending: string): string | undefined => {
  const provider = providerOf(name)
  const meant = provider && endingOf(provider, ending, provider === name)
  return meant && `${provider}.${meant}`
}

/** Returns the domain that was meant by a domain without a dot, such as `gmailcom` or `gmail`. */
const domainWithDot = (typed: string): string | undefined => {
  if (PROVIDERS.has(typed)) return `${typed}.${endingsOf(typed)[0]}`
  const ending = Object.keys(ENDING_SLIPS).find((last) => typed.endsWith(last))
  return ending && domainAt(typed.slice(0, -ending.length), ending)
}

/** Returns the domain that was meant by a domain in lower case. An unknown domain stays as it is. */
const correctDomain = (typed: string): string => {
  const parts = typed.split(/[.,;\s]/).filter((part) => part !== '')
  const [name = '', ...endings] = parts
  const last = endings.pop()
  if (last === undefined) return domainWithDot(name) ?? typed
  const meant = Object.keys(ENDING_SLIPS).find((ending) => has(ENDING_SLIPS[ending] ?? '', last))
  const ending = [...endings, meant ?? last].join('.')
  return domainAt(name, ending) ?? `${name}.${ending}`
}

/**
 * Returns the address that a typed address probably means, such as camille@gmail.com for camille@gmial.com. Returns
 * undefined if the address is right, unknown or incomplete.
 */
export const suggestEmail = (typed: string): string | undefined => {
  const text = typed.trim()
  if (text.length > MAX_EMAIL_LENGTH) return undefined
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1).toLowerCase()
  if (at < 1 || domain === '') return undefined
  const meant = correctDomain(domain)
  return meant === domain ? undefined : text.slice(0, at + 1) + meant
}
