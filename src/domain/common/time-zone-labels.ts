import { DEFAULT_TIME_ZONE, isTimeZone } from './time-zone.ts'

/** French name of a place; `after_hour` completes « heure … » if « de » and the name are wrong. */
type PlaceName = { name: string; after_hour?: string }

/** France and its territories, which the list of time zones shows first. */
const FRENCH_PLACES: Readonly<Record<string, PlaceName>> = {
  'Europe/Paris': { name: 'Paris' },
  'America/Guadeloupe': { name: 'Guadeloupe', after_hour: 'de la Guadeloupe' },
  'America/Martinique': { name: 'Martinique', after_hour: 'de la Martinique' },
  'America/Cayenne': { name: 'Guyane', after_hour: 'de la Guyane' },
  'Indian/Reunion': { name: 'La Réunion' },
  'Indian/Mayotte': { name: 'Mayotte' },
  'America/Miquelon': { name: 'Saint-Pierre-et-Miquelon' },
  'America/St_Barthelemy': { name: 'Saint-Barthélemy' },
  'America/Marigot': { name: 'Saint-Martin' },
  'Pacific/Noumea': { name: 'Nouméa' },
  'Pacific/Tahiti': { name: 'Tahiti' },
  'Pacific/Marquesas': { name: 'Îles Marquises', after_hour: 'des îles Marquises' },
  'Pacific/Gambier': { name: 'Îles Gambier', after_hour: 'des îles Gambier' },
  'Pacific/Wallis': { name: 'Wallis-et-Futuna' },
  'Indian/Kerguelen': { name: 'Kerguelen', after_hour: 'des Kerguelen' },
}

/** Places whose French name differs from the last part of their zone name. */
const OTHER_PLACES: Readonly<Record<string, PlaceName>> = {
  UTC: { name: 'UTC' },
  'Africa/Addis_Ababa': { name: 'Addis-Abeba' },
  'Africa/Algiers': { name: 'Alger' },
  'Africa/Cairo': { name: 'Le Caire', after_hour: 'du Caire' },
  'Africa/Mogadishu': { name: 'Mogadiscio' },
  'Africa/Ndjamena': { name: 'N’Djaména', after_hour: 'de N’Djaména' },
  'Africa/Sao_Tome': { name: 'Sao Tomé' },
  'Africa/Lome': { name: 'Lomé' },
  'America/Havana': { name: 'La Havane' },
  'America/Mexico_City': { name: 'Mexico' },
  'America/Port-au-Prince': { name: 'Port-au-Prince' },
  'America/Sao_Paulo': { name: 'São Paulo' },
  'America/Toronto': { name: 'Montréal et Toronto' },
  'Asia/Dubai': { name: 'Dubaï' },
  'Asia/Jerusalem': { name: 'Jérusalem' },
  'Asia/Ho_Chi_Minh': { name: 'Hô Chi Minh-Ville', after_hour: 'd’Hô Chi Minh-Ville' },
  'Asia/Kathmandu': { name: 'Katmandou' },
  'Asia/Kolkata': { name: 'Calcutta' },
  'Asia/Seoul': { name: 'Séoul' },
  'Asia/Singapore': { name: 'Singapour' },
  'Asia/Yangon': { name: 'Rangoun' },
  'Atlantic/Azores': { name: 'Açores', after_hour: 'des Açores' },
  'Atlantic/Canary': { name: 'Canaries', after_hour: 'des Canaries' },
  'Atlantic/Madeira': { name: 'Madère' },
  'Atlantic/Reykjavik': { name: 'Reykjavik' },
  'Australia/Adelaide': { name: 'Adélaïde' },
  'Europe/Athens': { name: 'Athènes' },
  'Europe/Brussels': { name: 'Bruxelles' },
  'Europe/Bucharest': { name: 'Bucarest' },
  'Europe/Copenhagen': { name: 'Copenhague' },
  'Europe/Kyiv': { name: 'Kiev' },
  'Europe/Lisbon': { name: 'Lisbonne' },
  'Europe/London': { name: 'Londres' },
  'Europe/Moscow': { name: 'Moscou' },
  'Europe/Rome': { name: 'Rome' },
  'Europe/Vienna': { name: 'Vienne' },
  'Europe/Warsaw': { name: 'Varsovie' },
  'Europe/Zurich': { name: 'Genève et Zurich' },
  'Indian/Antananarivo': { name: 'Antananarivo' },
  'Indian/Comoro': { name: 'Comores', after_hour: 'des Comores' },
  'Indian/Mauritius': { name: 'Maurice', after_hour: 'de l’île Maurice' },
}

const placeOf = (time_zone: string): PlaceName => {
  const last = time_zone.slice(time_zone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  return FRENCH_PLACES[time_zone] ?? OTHER_PLACES[time_zone] ?? { name: last }
}

/** Returns the French name of the place of a zone: « Nouméa ». */
export const timeZonePlace = (time_zone: string): string => placeOf(time_zone).name

/** Returns the French name of the times of a zone: « heure de Nouméa ». */
export const timeZoneName = (time_zone: string): string => {
  const { name, after_hour } = placeOf(time_zone)
  if (name === 'UTC') return 'heure UTC'
  return `heure ${after_hour ?? (/^[AEIOUÀÉÈÊÎÔ]/.test(name) ? `d’${name}` : `de ${name}`)}`
}

/** Returns the zone name to show with dates; null for the default zone, whose dates have none. */
export const timeZoneToShow = (time_zone: string): string | null =>
  time_zone === DEFAULT_TIME_ZONE ? null : timeZoneName(time_zone)

/** Returns the title of a column or part that holds dates: « Date (heure de Nouméa) ». */
export const withTimeZone = (title: string, time_zone: string): string => {
  const name = timeZoneToShow(time_zone)
  return name === null ? title : `${title} (${name})`
}

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
export const currentTimeZoneName = (time_zone: string): string =>
  PRESENT_NAMES[time_zone] ?? time_zone

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

/** Group of the time zone menu: a continent, or France with its territories. */
export type TimeZoneGroup = { label: string; zones: { time_zone: string; label: string }[] }

const offsetLabel = (time_zone: string, now: Date): string =>
  new Intl.DateTimeFormat('fr-FR', { timeZone: time_zone, timeZoneName: 'shortOffset' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')?.value ?? ''

/**
 * Returns the zones that an account can choose, each with its present offset. France comes first, then one group for
 * each continent in alphabetical order. `known` are the names that the JavaScript engine lists.
 */
export const timeZoneGroups = (known: readonly string[], now: Date): TimeZoneGroup[] => {
  const zones = new Set([...Object.keys(FRENCH_PLACES), ...known.map(currentTimeZoneName), 'UTC'])
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
