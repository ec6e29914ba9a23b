import { DEFAULT_TIME_ZONE } from './time-zone.ts'

/** French name of a place; `after_hour` completes « heure … » if « de » and the name are wrong. */
type PlaceName = { name: string; after_hour?: string }

/** France and its territories, which the list of time zones shows first. */
export const FRENCH_PLACES: Readonly<Record<string, PlaceName>> = {
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
export const shownTimeZone = (time_zone: string): string | null =>
  time_zone === DEFAULT_TIME_ZONE ? null : timeZoneName(time_zone)

/** Returns the title of a column or part that holds dates: « Date (heure de Nouméa) ». */
export const withTimeZone = (title: string, time_zone: string): string => {
  const name = shownTimeZone(time_zone)
  return name === null ? title : `${title} (${name})`
}
