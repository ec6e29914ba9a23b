import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '#domain/common/escape-html.ts'
import { tiePunctuation } from '#domain/common/french-spacing.ts'
import type { LegalConfig } from '#server/config/config.ts'
import { compressPage, type HtmlPage, writeHtmlPage } from '#server/http/pages/html-page.ts'
import { HTML, LINKED_HEADERS, sendCompressed } from '#server/public-quiz/page-reply.ts'

/** Addresses and titles of the legal pages, in the order of their links. */
export const LEGAL_PAGES = {
  '/confidentialite': 'Confidentialité',
  '/accessibilite': 'Accessibilité',
  '/mentions-legales': 'Mentions légales',
} as const
type LegalPath = keyof typeof LEGAL_PAGES

const STYLE = [
  'body{margin:0;background:#fff;color:#37352f;font:1.0625rem/1.6 system-ui,sans-serif}',
  'header,main,footer{max-width:42rem;margin:0 auto;padding:1rem}',
  'h1{font-size:1.75rem;line-height:1.25}h2{margin-top:2rem;font-size:1.25rem}',
  'a{color:#0a5bc4}dt{font-weight:600}dd{margin:0 0 .75rem}li{margin-bottom:.375rem}',
  'nav a{margin-right:1rem}footer{padding-bottom:3rem}',
  '@media(pointer:coarse){:is(header,nav) a{display:inline-block;padding-block:.625rem}}',
  '.missing{border-left:4px solid #b3261e;padding-left:.75rem}',
  ':focus-visible{outline:2px solid #0a5bc4;outline-offset:2px}',
].join('')

/** A section of a page: its heading, and paragraphs, lists (one line an entry) or trusted HTML. */
type Section = { title: string; content: (string | string[] | { html: string })[] }

const contentOf = (part: Section['content'][number]): string => {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  if (!Array.isArray(part)) return part.html
  return `<ul>${part.map((entry) => `<li>${escapeHtml(entry)}</li>`).join('')}</ul>`
}

const MISSING = 'Non renseigné par l’exploitant de ce site.'

/** Returns a detail that the operator gave, or a text that it is missing. */
const valueOrMissing = (value: string | undefined): string => value ?? MISSING

/** Returns terms and their descriptions as an HTML list. */
const facts = (entries: [term: string, value: string | undefined][]): { html: string } => ({
  html: `<dl>${entries
    .map(
      ([term, value]) =>
        `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(valueOrMissing(value))}</dd>`,
    )
    .join('')}</dl>`,
})

const warning = ({ operator, contact }: LegalConfig): string =>
  operator && contact
    ? ''
    : '<p class="missing">L’exploitant de ce site n’a pas encore complété ces informations : ce qui suit décrit le logiciel, et ne suffit pas à un site ouvert au public.</p>'

/** Writes a legal page, without scripts or external resources. */
const writeLegalPage = (
  path: LegalPath,
  legal: LegalConfig,
  sections: readonly Section[],
): HtmlPage => {
  const title = LEGAL_PAGES[path]
  const links = Object.entries(LEGAL_PAGES).map(([to, name]) =>
    to === path ? `<a href="${to}" aria-current="page">${name}</a>` : `<a href="${to}">${name}</a>`,
  )
  const parts = sections.map(
    (section) =>
      `<section><h2>${escapeHtml(section.title)}</h2>${section.content.map(contentOf).join('')}</section>`,
  )
  return writeHtmlPage({
    title: `${title} – Quizaine`,
    style: STYLE,
    body: [
      '<header><a href="/">Quizaine</a></header>',
      tiePunctuation(`<main><h1>${title}</h1>${warning(legal)}${parts.join('')}</main>`),
      `<footer><nav aria-label="Informations légales">${links.join('')}</nav></footer>`,
    ].join(''),
  })
}

/** Writes /accessibilite: what was tested, what was not, and known gaps (RGAA). */
const writeAccessibilityPage = (legal: LegalConfig): HtmlPage =>
  writeLegalPage('/accessibilite', legal, [
    {
      title: 'État de conformité',
      content: [
        'Quizaine est conçu pour être utilisable par tous, en visant le niveau AA des règles WCAG 2.2. Aucun audit de conformité au RGAA n’a été réalisé par une personne indépendante : ce site ne déclare donc aucun taux de conformité, et doit être tenu pour non conforme au sens de la loi tant qu’un tel audit n’a pas eu lieu.',
      ],
    },
    {
      title: 'Ce qui est testé',
      content: [
        'À chaque version du logiciel, dans le navigateur Chromium :',
        [
          'les règles automatiques d’axe-core pour WCAG 2.0, 2.1 et 2.2, niveaux A et AA, sur les écrans de création, de statistiques et de compte, et sur la page publique, dans plusieurs de leurs états ;',
          'des parcours entiers au clavier : créer, ordonner, publier et répondre, sans glisser-déposer ;',
          'la page publique sans JavaScript, en grand contraste, en couleurs forcées et sur un écran de 320 pixels.',
        ],
        'Ce qui n’est pas testé : l’usage réel avec un lecteur d’écran, une commande vocale ou une loupe, les autres navigateurs, et les tests avec des personnes concernées. Les règles automatiques ne trouvent qu’une partie des défauts.',
      ],
    },
    {
      title: 'Contenus non accessibles connus',
      content: [
        [
          'Les couleurs d’un questionnaire sont choisies par la personne qui l’a créé, et peuvent manquer de contraste ; l’éditeur l’en avertit, et le bouton « Contraste renforcé » de la page publique en affiche de lisibles.',
          'Les couleurs par défaut du bouton de la page publique n’ont pas un contraste suffisant.',
          'Les textes, et leur clarté, dépendent de la personne qui a créé le questionnaire.',
        ],
      ],
    },
    {
      title: 'Signaler un défaut',
      content: [
        'Si vous n’arrivez pas à utiliser une page, écrivez au contact ci-dessous en indiquant son adresse : une solution, ou le contenu sous une autre forme, doit vous être proposée.',
        facts([['Contact', legal.contact]]),
        'Si vous ne recevez pas de réponse satisfaisante, vous pouvez saisir le Défenseur des droits : formulaire.defenseurdesdroits.fr, téléphone 09 69 39 00 00, ou par courrier gratuit, sans timbre : Défenseur des droits, Libre réponse 71120, 75342 Paris CEDEX 07.',
      ],
    },
  ])

/** Writes /mentions-legales: who publishes and hosts this site (LCEN art. 6 III). */
const writeNoticePage = (legal: LegalConfig): HtmlPage =>
  writeLegalPage('/mentions-legales', legal, [
    {
      title: 'Éditeur',
      content: [
        facts([
          ['Exploitant', legal.operator],
          ['Adresse', legal.address],
          ...(legal.registration
            ? ([['Immatriculation', legal.registration]] satisfies [string, string][])
            : []),
          ['Contact', legal.contact],
          ['Directeur ou directrice de la publication', legal.publisher],
        ]),
      ],
    },
    { title: 'Hébergeur', content: [facts([['Hébergeur', legal.host]])] },
    {
      title: 'Contenus des questionnaires',
      content: [
        'Chaque quiz et chaque sondage est rédigé et publié par la personne qui l’a créé, sous sa responsabilité. Pour signaler un contenu illicite, écrivez au contact ci-dessus en indiquant l’adresse de la page.',
      ],
    },
    {
      title: 'Sécurité',
      content: [
        'Pour signaler une faille de sécurité, écrivez au contact ci-dessus sans la rendre publique ; n’accédez pas aux données d’autres personnes pour la démontrer.',
      ],
    },
    {
      title: 'Logiciel',
      content: [
        'Ce site fonctionne avec Quizaine, un logiciel libre, et avec les bibliothèques et les polices d’autres auteurs.',
        // The build writes the file (scripts/licences).
        { html: '<p><a href="/licences.txt">Licences des bibliothèques</a></p>' },
      ],
    },
  ])

/** Writes /confidentialite: how data of participants and creators are processed (RGPD art. 13 and 14). */
const writePrivacyPage = (legal: LegalConfig): HtmlPage =>
  writeLegalPage('/confidentialite', legal, [
    {
      title: 'Vous répondez à un quiz ou à un sondage',
      content: [
        'La personne qui a créé le questionnaire décide de ses questions et reçoit vos réponses : elle en est responsable au sens du RGPD. L’exploitant de ce site les héberge pour elle, comme sous-traitant. Pour exercer vos droits, adressez-vous d’abord à elle ; à défaut, à l’exploitant, qui lui transmettra. Certains questionnaires donnent à la fin l’adresse de votre page : vous y retrouvez votre résultat, recevez vos données, retirez votre accord ou effacez vos réponses vous-même.',
        'Ce qui est enregistré :',
        [
          'vos réponses, votre résultat et le moment de votre participation ;',
          'votre adresse email ou votre numéro, seulement si une question le demande et que vous répondez ;',
          'votre accord pour recevoir des emails, avec le texte exact de la case, si vous la cochez ;',
          'ce que dit l’adresse par laquelle vous êtes venu, quand elle le dit : le nom d’une campagne, par exemple, ou ce que la personne qui a créé le questionnaire y a ajouté ;',
          'la durée de la participation et un indice de saisie automatique, pour repérer les robots.',
        ],
        'Si le questionnaire annonce un email, il vous est envoyé une fois, par ce site. Chacun contient un lien pour ne plus en recevoir de cet auteur : seule une empreinte de votre adresse est alors gardée, pour respecter ce choix.',
        'Ni votre adresse IP ni votre navigateur ne sont enregistrés avec vos réponses. Vous n’êtes pas suivi : aucun cookie, aucun traceur, aucune police ni image d’un autre site. L’onglet garde vos réponses jusqu’à trente minutes sans utilisation, pour qu’un rechargement ne perde rien ; ce que vous avez écrit en est effacé à la fin. Celles qui n’ont pas encore pu être envoyées restent sur votre appareil, et en sont effacées une fois qu’elles le sont. Le nombre de personnes parvenues à chaque page est compté sans rien retenir d’elles. Si le questionnaire est affiché dans la page d’un autre site, cette page apprend où vous en êtes et le rang de votre résultat, jamais vos réponses.',
        'La base légale est choisie par la personne qui a créé le questionnaire : votre consentement, en général, puisque vous répondez librement. L’envoi de votre adresse à son outil d’emailing a lieu avec votre accord, donné par une case non cochée d’avance ou, là où il n’y a pas de case, parce que le questionnaire annonce cet envoi. Vous pouvez retirer cet accord à tout moment, par le lien de désinscription de chaque email ou en lui écrivant.',
        'Vos réponses sont conservées jusqu’à ce que la personne qui a créé le questionnaire les supprime, ou pendant la durée qu’elle a fixée (6, 12 ou 36 mois).',
      ],
    },
    {
      title: 'Vous créez des quiz',
      content: [
        'L’exploitant de ce site est responsable des données de votre compte, nécessaires au service que vous demandez (exécution du contrat) et à sa sécurité (intérêt légitime) :',
        [
          'votre adresse email, et votre numéro si vous l’ajoutez ; votre mot de passe, sous une forme qui ne permet pas de le retrouver ; vos seconds facteurs ;',
          'vos questionnaires et leurs réponses, jusqu’à leur suppression ;',
          'vos connexions aux outils d’emailing, dont les clés sont chiffrées ;',
          'vos sessions, avec le nom de votre navigateur, et pendant 90 jours une empreinte des réseaux d’où vous vous êtes connecté, pour qu’une attaque venue d’ailleurs ne vous bloque pas ;',
          'un journal de sécurité (connexions, changements de mot de passe, publications, suppressions, exports), avec le seul réseau d’où vient l’appel et sans votre adresse email, pendant douze mois.',
        ],
        'La page « Mon compte » permet d’en télécharger toutes les données et de le supprimer, tout de suite et définitivement. Les sauvegardes chiffrées ou non que fait l’exploitant contiennent encore ces données jusqu’à leur remplacement.',
        'Une session est gardée dans le stockage de votre navigateur, et effacée à la déconnexion. Pendant la connexion de votre compte Kit, ou par le compte d’un autre service, un cookie de dix minutes au plus, strictement nécessaire, protège l’opération. De même après votre inscription, quand votre adresse reste à confirmer : un cookie d’un jour y reconnaît le navigateur où vous avez choisi votre mot de passe.',
      ],
    },
    {
      title: 'Destinataires et transferts',
      content: [
        'Les données sont lues par la personne qui a créé le questionnaire, et par les personnes qui administrent ce site. Elles ne sont ni vendues ni utilisées pour de la publicité.',
        'Si elle l’a choisi et que vous avez accepté, votre adresse et votre résultat sont envoyés à son outil d’emailing : Brevo (France), Systeme.io, ou Kit, établi aux États-Unis. La personne qui a créé le questionnaire répond de ce choix et de l’encadrement de ce transfert.',
        { html: facts([['Hébergeur', legal.host]]).html },
      ],
    },
    {
      title: 'Vos droits',
      content: [
        'Vous pouvez demander l’accès à vos données, leur rectification, leur effacement, leur portabilité, la limitation de leur traitement, ou vous y opposer. Vous pouvez aussi adresser une réclamation à la CNIL (www.cnil.fr).',
        facts([
          ['Exploitant de ce site', legal.operator],
          ['Contact', legal.contact],
          [
            'Délégué à la protection des données',
            legal.dpo ??
              `Aucun n’est désigné. ${legal.contact ? '' : valueOrMissing(undefined)}`.trim(),
          ],
        ]),
      ],
    },
  ])

const WRITERS: Record<LegalPath, (legal: LegalConfig) => HtmlPage> = {
  '/confidentialite': writePrivacyPage,
  '/accessibilite': writeAccessibilityPage,
  '/mentions-legales': writeNoticePage,
}

/** Serves the pages that the law requires, written once from the configuration. */
export const serveLegalPages = (app: FastifyInstance, legal: LegalConfig): void => {
  for (const [path, write] of Object.entries(WRITERS)) {
    const packing = compressPage(write(legal))
    app.get(path, { config: { access: 'anyone' } }, async (request, reply) =>
      sendCompressed(request, reply.headers(LINKED_HEADERS), await packing, {
        type: HTML,
        caching: 'no-cache',
      }),
    )
  }
}
