/**
 * Countries whose phone numbers are read without a country code, by ISO code, in French. France includes its departments
 * and collectivities overseas that share its numbering plan.
 */
export const PHONE_COUNTRIES = {
  FR: 'France et outre-mer',
  BE: 'Belgique',
  CH: 'Suisse',
  LU: 'Luxembourg',
  MC: 'Monaco',
  CA: 'Canada',
  NC: 'Nouvelle-Calédonie',
  PF: 'Polynésie française',
  WF: 'Wallis-et-Futuna',
  PM: 'Saint-Pierre-et-Miquelon',
  DZ: 'Algérie',
  BJ: 'Bénin',
  BF: 'Burkina Faso',
  CM: 'Cameroun',
  CG: 'Congo-Brazzaville',
  CD: 'Congo-Kinshasa',
  CI: 'Côte d’Ivoire',
  GA: 'Gabon',
  GN: 'Guinée',
  HT: 'Haïti',
  MG: 'Madagascar',
  ML: 'Mali',
  MA: 'Maroc',
  MU: 'Maurice',
  NE: 'Niger',
  SN: 'Sénégal',
  TG: 'Togo',
  TN: 'Tunisie',
} as const

/** ISO code of a country whose phone numbers are read without a country code. */
export type PhoneCountry = keyof typeof PHONE_COUNTRIES

/** Country codes of phone numbers, without a plus sign. */
export const CALLING_CODES: Readonly<Record<PhoneCountry, string>> = {
  FR: '33',
  BE: '32',
  CH: '41',
  LU: '352',
  MC: '377',
  CA: '1',
  NC: '687',
  PF: '689',
  WF: '681',
  PM: '508',
  DZ: '213',
  BJ: '229',
  BF: '226',
  CM: '237',
  CG: '242',
  CD: '243',
  CI: '225',
  GA: '241',
  GN: '224',
  HT: '509',
  MG: '261',
  ML: '223',
  MA: '212',
  MU: '230',
  NE: '227',
  SN: '221',
  TG: '228',
  TN: '216',
}

/** Country of a time zone; all other zones stand for France. */
const COUNTRIES_OF_ZONES: Readonly<Record<string, PhoneCountry>> = {
  'Europe/Brussels': 'BE',
  'Europe/Zurich': 'CH',
  'Europe/Luxembourg': 'LU',
  'Europe/Monaco': 'MC',
  'America/Toronto': 'CA',
  'America/Montreal': 'CA',
  'America/Moncton': 'CA',
  'America/Halifax': 'CA',
  'America/St_Johns': 'CA',
  'America/Winnipeg': 'CA',
  'America/Regina': 'CA',
  'America/Edmonton': 'CA',
  'America/Vancouver': 'CA',
  'Pacific/Noumea': 'NC',
  'Pacific/Tahiti': 'PF',
  'Pacific/Marquesas': 'PF',
  'Pacific/Gambier': 'PF',
  'Pacific/Wallis': 'WF',
  'America/Miquelon': 'PM',
  'Africa/Algiers': 'DZ',
  'Africa/Porto-Novo': 'BJ',
  'Africa/Ouagadougou': 'BF',
  'Africa/Douala': 'CM',
  'Africa/Brazzaville': 'CG',
  'Africa/Kinshasa': 'CD',
  'Africa/Lubumbashi': 'CD',
  'Africa/Abidjan': 'CI',
  'Africa/Libreville': 'GA',
  'Africa/Conakry': 'GN',
  'America/Port-au-Prince': 'HT',
  'Indian/Antananarivo': 'MG',
  'Africa/Bamako': 'ML',
  'Africa/Casablanca': 'MA',
  'Indian/Mauritius': 'MU',
  'Africa/Niamey': 'NE',
  'Africa/Dakar': 'SN',
  'Africa/Lome': 'TG',
  'Africa/Tunis': 'TN',
}

/** Returns true for the code of a country whose phone numbers are read without a country code. */
export const isPhoneCountry = (code: string | null | undefined): code is PhoneCountry =>
  typeof code === 'string' && Object.hasOwn(PHONE_COUNTRIES, code)

/** Returns the country of an account: the chosen one, or else the country of its time zone. */
export const accountCountry = (
  chosen: string | null | undefined,
  time_zone: string,
): PhoneCountry => (isPhoneCountry(chosen) ? chosen : (COUNTRIES_OF_ZONES[time_zone] ?? 'FR'))
