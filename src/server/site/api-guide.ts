import { KEY_LIFETIMES, MAX_API_KEYS } from '#domain/accounts/api-key.ts'
import { PROVIDERS } from '#domain/common/vocabulary.ts'
import { ERASURE_KINDS_OF } from '#domain/deliveries/erasures.ts'
import { PROVIDER_LABELS } from '#domain/deliveries/integrations.ts'

/**
 * A part of the guide: a paragraph (with `code` and [links](address)), a table with its head first, lines of code, or
 * a command. examples.test.ts runs the commands in order.
 */
export type GuidePart =
  | { p: string }
  | { table: string[][] }
  | { command: string; name: string }
  | { code: string }
/** A section of the guide. */
export type GuideSection = { title: string; parts: GuidePart[] }

const BEARER = '-H "Authorization: Bearer $CLE"'
const JSON_BODY = "-H 'Content-Type: application/json'"

/** Guide of the API, in the order in which a reader would try it. */
export const GUIDE: GuideSection[] = [
  {
    title: 'Commencer',
    parts: [
      {
        p: 'L’API fait tout ce que fait l’application : créer un quiz ou un sondage, le publier, lire ses réponses et ses statistiques. Elle parle JSON, en HTTPS.',
      },
      {
        p: `Créez une clé dans [Mon compte](/settings), section « Clés d’API » : un nom, une portée, une expiration (${KEY_LIFETIMES.join(', ')} jours ou jamais). Elle n’est affichée qu’une fois. Gardez-la dans une variable d’environnement, comme l’adresse de ce site :`,
      },
      { code: "export QUIZAINE='https://quiz.exemple.fr'\nexport CLE='qz_…'" },
      { p: 'Puis demandez la liste de vos quiz :' },
      { name: 'list', command: `curl "$QUIZAINE/api/v1/quizzes" ${BEARER}` },
    ],
  },
  {
    title: 'S’authentifier',
    parts: [
      {
        p: 'Chaque appel porte la clé dans l’en-tête `Authorization: Bearer qz_…`, et nulle part ailleurs : une clé dans l’adresse n’est pas lue. Un navigateur ne peut pas s’en servir depuis la page d’un autre site, et c’est voulu : une clé écrite dans une page est à tout le monde.',
      },
      {
        p: 'Une clé révoquée est refusée dès l’appel suivant. Elle prend fin aussi à sa date d’expiration et avec le compte ; changer de mot de passe ou se déconnecter ne la révoque pas.',
      },
    ],
  },
  {
    title: 'Portées',
    parts: [
      {
        table: [
          ['Portée', 'Ce qu’elle ouvre'],
          [
            'lecture',
            'Les appels en GET, la recherche d’une personne et les liens d’un export ou de PDF : quiz, statistiques, réponses, noms, téléphones et adresses email des participants.',
          ],
          ['écriture', 'La même chose, et tous les appels qui créent, modifient ou suppriment.'],
        ],
      },
      {
        p: 'Aucune clé n’ouvre ce qui touche au compte (`/auth/v1`, `/account`), aux clés elles-mêmes, aux secrets des outils d’emailing et aux liens de partage des statistiques : il faut être connecté. La [référence](/docs/reference) dit pour chaque appel la portée qu’il demande.',
      },
    ],
  },
  {
    title: 'Créer et publier',
    parts: [
      {
        p: 'Un questionnaire s’écrit en texte, comme dans « Coller un texte ». La réponse (201) a son identifiant dans `quiz.id`.',
      },
      {
        name: 'create',
        command: `curl "$QUIZAINE/api/v1/quizzes/import" ${BEARER} ${JSON_BODY} --data @- <<'FIN'
{"text": "# Votre avis\\nType : sondage\\n\\n## Page 1\\n\\n### Comment avez-vous trouvé l’atelier ?\\n- Utile\\n- Trop court\\n\\n### Votre email ?\\nRéponse : email\\n"}
FIN`,
      },
      { p: 'Gardez cet identifiant, changez ce que vous voulez, puis publiez :' },
      { code: "export QUIZ='00000000-0000-0000-0000-000000000000'" },
      {
        name: 'update',
        command: `curl -X PUT "$QUIZAINE/api/v1/quizzes/$QUIZ" ${BEARER} ${JSON_BODY} --data '{"name": "Votre avis sur l’atelier"}'`,
      },
      {
        name: 'publish',
        command: `curl -X POST "$QUIZAINE/api/v1/quizzes/$QUIZ/publish" ${BEARER}`,
      },
      { p: 'La page publique est alors à l’adresse `$QUIZAINE/q/$QUIZ`.' },
      {
        p: 'Une grille est faite de questions qui se suivent sur une page et qui ont les mêmes réponses ou la même échelle : la première a `grid_title`, chacune des suivantes `continues_grid`. Une question qui ne convient pas est montrée seule. Chaque ligne reste une question dans les réponses, les chiffres et les exports.',
      },
    ],
  },
  {
    title: 'Lire les réponses, page par page',
    parts: [
      {
        p: 'Les listes longues viennent par pages, des plus récentes aux plus anciennes : `limit` dit combien (500 au plus), et `next_cursor` de la réponse est le `cursor` de la page suivante ; il est `null` à la dernière. Ce qui arrive pendant la lecture n’y ajoute rien et n’y fait rien manquer. Pour un sondage, `final_result_name`, `score` et, dans un fichier JSON, `result` sont `null`.',
      },
      {
        name: 'responses',
        command: `curl -G "$QUIZAINE/api/v1/quizzes/$QUIZ/responses" ${BEARER} -d limit=1`,
      },
      {
        name: 'next',
        command: `curl -G "$QUIZAINE/api/v1/quizzes/$QUIZ/responses" ${BEARER} -d limit=1 --data-urlencode "cursor=$CURSOR"`,
      },
      {
        p: 'Avec `figures=1` viennent aussi les chiffres. Les filtres `email`, `result`, `answer`, `parameters`, `from` et `to` sont ceux de l’écran des statistiques ; `email` est le début d’une adresse, d’un mot du nom ou d’un téléphone. `first_name`, `last_name` et `phone` sont `null` si le questionnaire ne les demande pas. Un webhook les envoie dans `contact`, et rien si la personne a refusé. Tout d’un coup, en fichier (`csv`, `csv_excel`, `xlsx` ou `json`) : demandez un lien, valable deux minutes et une fois.',
      },
      {
        name: 'export',
        command: `curl "$QUIZAINE/api/v1/quizzes/$QUIZ/exports" ${BEARER} ${JSON_BODY} --data '{"format": "csv"}'`,
      },
      {
        p: 'Deux campagnes se comparent personne par personne : `GET /api/v1/quizzes/{id}/campaigns/{campaignId}/progress?before={autre campagne}` donne les moyennes, leur évolution et son intervalle à 95 %, pour tous et par groupe ; `change` est `null` au-dessous de cinq personnes. `POST` à la même adresse donne un lien vers l’évolution de chaque personne en fichier. Le dossier de preuves ne s’obtient que dans l’application.',
      },
      { p: 'Tout ce qu’une personne a donné à vos quiz, par son adresse :' },
      {
        name: 'person',
        command: `curl "$QUIZAINE/api/v1/people/find" ${BEARER} ${JSON_BODY} --data '{"email": "camille@exemple.fr"}'`,
      },
    ],
  },
  {
    title: 'Rapports et attestations',
    parts: [
      {
        p: 'Avec `report` (`result` ou `replies`), chaque participant a un rapport en PDF ; avec `certificate_percent`, ceux qui atteignent ce pourcentage des points ont une attestation, si le quiz compte un score. Les deux se règlent comme le reste du questionnaire, et valent pour qui répond après la publication :',
      },
      {
        name: 'report',
        command: `curl -X PUT "$QUIZAINE/api/v1/quizzes/$QUIZ" ${BEARER} ${JSON_BODY} --data '{"report": "replies"}'`,
      },
      {
        p: 'La réponse à un envoi (`/submit`) donne alors dans `documents` les adresses de ces PDF, pour ce participant seul : `report`, `certificate`, ou aucun. Elles valent tant que ses réponses sont gardées. Un PDF est écrit à chaque téléchargement ; rien n’en est gardé.',
      },
      {
        p: 'Pour vous, demandez un lien, valable deux minutes et une fois. `file` vaut `report` ou `certificate` (avec `participant_uuid`), `zip`, ou `report_preview` et `certificate_preview` : le brouillon, avec des réponses d’exemple. Un ZIP a les 500 plus récents des participants que choisissent les filtres des réponses, `search` (comme dans la liste) et `participant_uuids` ; `nb_participants` dit combien :',
      },
      {
        name: 'documents',
        command: `curl "$QUIZAINE/api/v1/quizzes/$QUIZ/documents" ${BEARER} ${JSON_BODY} --data '{"file": "zip", "search": "camille"}'`,
      },
      {
        p: 'Chaque attestation a un numéro, et la page `$QUIZAINE/attestation/{numéro}` redit ce qu’elle imprime : nom, titre, questionnaire, date, pourcentage. Un numéro inventé ou coupé, et celui d’un participant effacé, y donnent la même page 404. Le pourcentage est arrondi vers le bas, et c’est le compte exact qui décide : 49,5 % n’atteint pas 50 %.',
      },
      {
        p: 'Rapports, attestations et vérifications sont limités à 60 par minute et par adresse (429). Si trop de documents sont demandés à la fois, la réponse est 503 avec `Retry-After` (`reports_busy`).',
      },
    ],
  },
  {
    title: 'Effacer une personne',
    parts: [
      {
        p: 'Toutes les participations d’une adresse, dans tous vos quiz et sondages, avec leurs réponses ; `nb_deleted` dit combien :',
      },
      {
        name: 'erase',
        command: `curl "$QUIZAINE/api/v1/people/remove" ${BEARER} ${JSON_BODY} --data '{"email": "sacha@exemple.fr"}'`,
      },
      {
        p: 'Une seule participation : `DELETE /api/v1/quizzes/{id}/responses/{participantId}`.',
      },
      {
        p: 'Rien n’est demandé à vos outils sans que vous le disiez. `sent_to` de la recherche dit lesquels ont reçu la personne et ce que chacun permet ; ajoutez-le à l’appel, dans le corps de `people/remove` ou dans l’adresse d’un `DELETE` (`?brevo=delete`) :',
      },
      {
        table: [
          ['Outil', 'Nom', 'Valeurs'],
          ...PROVIDERS.map((provider) => [
            PROVIDER_LABELS[provider],
            provider,
            ERASURE_KINDS_OF[provider].join(', '),
          ]),
        ],
      },
      {
        p: 'Un choix qu’un outil ne permet pas est refusé, et rien n’est alors effacé. Les webhooks qui ont reçu la personne sont prévenus sans qu’on le demande, par `person.erased` : `data` a l’identifiant du quiz (`quiz.id`) et `participant_id`, celui de `response.created`. Ce que chacun a répondu se lit dans le registre des effacements du quiz, qui ne dit plus qui c’était :',
      },
      {
        name: 'erasures',
        command: `curl "$QUIZAINE/api/v1/quizzes/$QUIZ/erasures" ${BEARER}`,
      },
      {
        p: 'Un effacement dont `can_retry` est vrai se retente par un POST à cette adresse suivie de `/{erasureId}/retry`.',
      },
    ],
  },
  {
    title: 'Erreurs',
    parts: [
      {
        p: 'Un refus a toujours la même forme : `error`, une phrase à montrer, et `code`, un mot pour les programmes ; `validation_errors` dit, une phrase par raison, pourquoi un quiz ne peut pas être publié ou un texte importé. Rien n’est enregistré à moitié.',
      },
      {
        name: 'refused',
        command: 'curl "$QUIZAINE/api/v1/quizzes" -H "Authorization: Bearer qz_faux"',
      },
      {
        table: [
          ['Statut', 'Code', 'Sens'],
          [
            '400',
            'bad_json, text_refused',
            'Le JSON est illisible ; le texte à importer est refusé, ligne par ligne.',
          ],
          ['401', 'unauthorized', 'Aucune clé n’est donnée.'],
          ['401', 'mistyped_key', 'La clé n’est pas entière, ou mal recopiée.'],
          ['401', 'unknown_key', 'La clé n’existe pas, ou a été révoquée.'],
          ['401', 'expired_key', 'La clé a expiré.'],
          ['401', 'blocked_account', 'Le compte de la clé est suspendu.'],
          ['403', 'scope_too_small', 'L’appel demande la portée écriture.'],
          ['403', 'not_for_keys', 'Aucune clé n’ouvre cet appel.'],
          ['404', 'not_found', 'Rien de tel, ou c’est à quelqu’un d’autre.'],
          ['409', 'conflict', 'Une autre modification est passée avant.'],
          [
            '413, 415, 422',
            'too_large, not_json, invalid',
            'Le corps est trop grand, n’est pas du JSON, ou un champ est faux : il est nommé.',
          ],
          ['422', 'publication_refused', 'Le quiz ne peut pas être publié.'],
          ['429', 'too_many_requests', 'Trop d’appels : attendez les secondes de `Retry-After`.'],
          [
            '422',
            'work_limit',
            'Ce travail dépasse une limite de temps, de mémoire ou de taille : ne réessayez pas.',
          ],
          ['503', 'unavailable, reports_busy', 'Réessayez après les secondes de `Retry-After`.'],
        ],
      },
    ],
  },
  {
    title: 'Limites',
    parts: [
      {
        p: `Une clé a 300 appels par minute, dont 60 à la fois ; les clés d’un même compte ne se gênent pas. Un compte a ${MAX_API_KEYS} clés au plus. Un corps a 1 Mio d’ordinaire, un texte à importer 2 Mio. Un appel est répondu ou refusé en 15 secondes.`,
      },
    ],
  },
  {
    title: 'Client TypeScript',
    parts: [
      {
        p: 'Un seul fichier, sans dépendance, avec les types de l’API : [quizaine.ts](/docs/quizaine.ts). Copiez-le dans votre projet.',
      },
      {
        code: `import { createQuizaine, everyResponse } from './quizaine.ts'

const quizaine = createQuizaine({ origin: process.env.QUIZAINE ?? '', key: process.env.CLE ?? '' })
const { quiz } = await quizaine.quizzes.importText({ body: { text: '# Votre avis\\nType : sondage\\n…' } })
await quizaine.quizzes.publish({ id: quiz.id })
for await (const { email, answers } of everyResponse(quizaine, { id: quiz.id, limit: 500 }))
  console.log(email, answers)`,
      },
    ],
  },
]
