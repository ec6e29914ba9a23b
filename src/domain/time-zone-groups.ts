import { isTimeZone } from './time-zone.ts'
import { FRENCH_PLACES, timeZonePlace } from './time-zone-labels.ts'

/** Present IANA names, which every PostgreSQL knows, by former names that JavaScript engines still list. */
const PRESENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns the present IANA name of a zone, also for a former name. */
export const presentName = (time_zone: string): string => PRESENT_NAMES[time_zone] ?? time_zone

const CONTINENTS: Readonly<Record<string, string>> = {
  Europe: 'Europe',
  Africa: 'Afrique',
  America: 'Amérique',
  Asia: 'Asie',
  Indian: 'Océan Indien',
  Pacific: 'Océanie',
  Australia: 'Océanie',
  Atlantic: 'Atlantique',
  Antarctica: 'Antarctique',
  Arctic: 'Europe',
}
const FRENCH_GROUP = 'France et territoires'
const GROUPS = [FRENCH_GROUP, ...new Set(Object.values(CONTINENTS)), 'Autres']

export type TimeZoneGroup = { label: string; zones: { time_zone: string; label: string }[] }

const offsetLabel = (time_zone: string, now: Date): string =>
  new Intl.DateTimeFormat('fr-FR', { timeZone: time_zone, timeZoneName: 'shortOffset' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/**
 * Returns the zones that an account can choose, each with its present offset: France first, then one group for each
 * continent, in alphabetical order. `known` are the names that the JavaScript engine lists.
 */
export const timeZoneGroups = (known: readonly string[], now: Date): TimeZoneGroup[] => {
  const zones = new Set([...Object.keys(FRENCH_PLACES), ...known.map(presentName), 'UTC'])
  const groups = new Map(GROUPS.map((label): [string, TimeZoneGroup['zones']] => [label, []]))
  for (const time_zone of zones) {
    if (!isTimeZone(time_zone)) continue
    const [area = ''] = time_zone.split('/')
    const group = FRENCH_PLACES[time_zone] ? FRENCH_GROUP : (CONTINENTS[area] ?? 'Autres')
    const label = `${timeZonePlace(time_zone)} (${offsetLabel(time_zone, now)})`
    groups.get(group)?.push({ time_zone, label })
  }
  const french = new Intl.Collator('fr')
  for (const [group, list] of groups)
    if (group !== FRENCH_GROUP) list.sort((a, b) => french.compare(a.label, b.label))
  return [...groups].flatMap(([label, list]) => (list.length > 0 ? { label, zones: list } : []))
}
