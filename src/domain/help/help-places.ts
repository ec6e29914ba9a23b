/**
 * Subjects of the links « ? » on the screens of creators, with the page of the help and its heading. The screens repeat both
 * (web/ui/help-link.tsx), so that no screen loads this table; the compiler compares them.
 */
export const HELP_PLACES = {
  'créer un questionnaire': 'premier-quiz#creer-le-questionnaire',
  dossiers: 'modeles-et-dossiers#ranger-dans-des-dossiers',
  corbeille: 'modeles-et-dossiers#la-corbeille',
  'questionnaire en texte': 'importer#coller-un-texte',
  questions: 'questions',
  'options d’une question': 'questions#les-options-d-une-question',
  grilles: 'grilles',
  'accueil et fin': 'accueil-et-fin',
  résultats: 'score-ou-profils',
  égalités: 'score-ou-profils#en-cas-d-egalite',
  'chances de chaque résultat': 'score-ou-profils#verifier-avant-de-publier',
  paliers: 'paliers',
  dimensions: 'dimensions',
  'textes conditionnels': 'textes-conditionnels',
  corrections: 'bonnes-reponses',
  'rapport et attestation': 'rapports-et-attestations',
  'thèmes et couleurs': 'apparence',
  'mots de la page': 'apparence#les-mots-de-la-page',
  'adresse et dates': 'partager#une-adresse-a-vous',
  'page du participant': 'effacement#la-page-du-participant',
  publier: 'publier',
  versions: 'publier#les-versions',
  partager: 'partager',
  'lien prérempli': 'liens-preremplis',
  campagnes: 'campagnes',
  'avant et après': 'avant-et-apres',
  'dossier de preuves': 'avant-et-apres#le-dossier-de-preuves',
  'intégrer à un site': 'integrer',
  'réponses de test': 'tests#repondre-en-test',
  Kit: 'kit',
  'Systeme.io': 'systeme-io',
  Brevo: 'brevo',
  'accord des participants': 'consentement',
  'confirmation de l’adresse': 'consentement#confirmer-l-adresse',
  'champs envoyés': 'tags-et-regles#choisir-les-champs',
  'tags et règles': 'tags-et-regles',
  emails: 'emails',
  'envoi des emails': 'emails#l-expediteur-et-les-reponses',
  webhooks: 'webhooks',
  'provenance des participants': 'partager#un-lien-par-campagne',
  envois: 'envois-en-echec',
  chiffres: 'statistiques',
  filtres: 'croiser-et-filtrer',
  'tableau croisé': 'croiser-et-filtrer#qui-repond-quoi',
  participants: 'participants-et-exports',
  exports: 'participants-et-exports#exporter',
  'données personnelles': 'effacement',
  compte: 'compte',
  'double authentification': 'compte#double-authentification',
  'clés d’API': 'compte#cles-d-api',
} as const

type Places = typeof HELP_PLACES

/** Subject of a link to the help, with the page that the table names for it. */
export type HelpPlace = {
  [Subject in keyof Places]: { about: Subject; page: Places[Subject] }
}[keyof Places]
