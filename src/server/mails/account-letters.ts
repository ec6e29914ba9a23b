import type { Letter } from '#domain/mail-letters/letter.ts'
import { type Quiz, quizNoun } from '#domain/questionnaire/quiz.ts'

/** Data of mails about an account. */
export type AccountMailFacts = {
  /** Address of the recipient. */
  email: string
  /** Future address of the account, in mails about a change. */
  new_email?: string
  /** In mails about a change: true if the confirmation of one address suffices. */
  is_one_enough?: boolean
  url?: string
  code?: string
  /** Email tool or webhook host, with the number of deliveries that wait for it. */
  tool?: string | undefined
  /** French sentence that tells the creator what to do. */
  to_do?: string | undefined
  nb_waiting?: number | undefined
  /** Questionnaire of a refused webhook. Mails queued by an earlier version have none. */
  quiz?: Pick<Quiz, 'type'> | undefined
}

const SINGLE_USE_NOTICE = 'Ce lien est valable une heure et ne sert qu’une fois.'
const UNREQUESTED_NOTICE = 'Si vous n’avez rien demandé, ignorez ce message : rien ne change.'

const codeLine = ({ code }: AccountMailFacts): Letter['code'] =>
  code === undefined
    ? undefined
    : { label: 'Si l’on vous demande un code, saisissez :', digits: code }

const linked = (facts: AccountMailFacts, label: string): Pick<Letter, 'action' | 'code'> => ({
  action: { label, url: facts.url ?? '' },
  code: codeLine(facts),
})

/** Builders of all mails about an account, in French. */
export const accountLetters = {
  confirmation: (facts: AccountMailFacts): Letter => ({
    subject: 'Confirmez votre adresse email',
    title: 'Bienvenue sur Quizaine',
    preview: 'Un clic suffit pour activer votre compte.',
    paragraphs: [
      `Un compte vient d’être créé avec l’adresse ${facts.email}. Confirmez qu’elle est bien la vôtre pour l’activer.`,
      'Si ce lien s’ouvre ailleurs que dans le navigateur de l’inscription, vous choisirez de nouveau votre mot de passe.',
    ],
    ...linked(facts, 'Confirmer mon adresse'),
    closing: [
      SINGLE_USE_NOTICE,
      'Si vous n’avez pas créé ce compte, ignorez ce message : il ne sera pas activé.',
    ],
  }),
  first_password: (facts: AccountMailFacts): Letter => ({
    subject: 'Confirmez votre adresse email',
    title: 'Bienvenue sur Quizaine',
    preview: 'Un clic, puis un mot de passe à choisir.',
    paragraphs: [
      `Un compte vient d’être demandé avec l’adresse ${facts.email}. Confirmez qu’elle est bien la vôtre pour l’activer.`,
      'Vous choisirez ensuite votre mot de passe : aucun mot de passe saisi jusqu’ici n’ouvre ce compte.',
    ],
    ...linked(facts, 'Confirmer mon adresse'),
    closing: [
      SINGLE_USE_NOTICE,
      'Si vous n’avez pas demandé ce compte, ignorez ce message : il ne sera pas activé.',
    ],
  }),
  recovery: (facts: AccountMailFacts): Letter => ({
    subject: 'Choisissez un nouveau mot de passe',
    title: 'Mot de passe oublié ?',
    preview: 'Voici le lien pour en choisir un autre.',
    paragraphs: [
      `Quelqu’un, sans doute vous, a demandé à changer le mot de passe du compte ${facts.email}.`,
    ],
    ...linked(facts, 'Choisir un nouveau mot de passe'),
    closing: [
      SINGLE_USE_NOTICE,
      'Si ce n’était pas vous, ignorez ce message : votre mot de passe ne change pas.',
    ],
  }),
  magic_link: (facts: AccountMailFacts): Letter => ({
    subject: 'Votre lien de connexion',
    title: 'Connectez-vous à Quizaine',
    preview: 'Un clic suffit, sans mot de passe.',
    paragraphs: [
      `Ce lien ouvre le compte ${facts.email} sans mot de passe. Ne le transmettez pas.`,
    ],
    ...linked(facts, 'Me connecter'),
    closing: [SINGLE_USE_NOTICE, UNREQUESTED_NOTICE],
  }),
  invite: (facts: AccountMailFacts): Letter => ({
    subject: 'Votre invitation sur Quizaine',
    title: 'Votre compte vous attend',
    preview: 'Acceptez l’invitation pour créer vos quiz et vos sondages.',
    paragraphs: [
      `Un compte Quizaine a été préparé pour l’adresse ${facts.email}. Vous pourrez y créer des quiz et des sondages, les publier et lire leurs réponses.`,
    ],
    ...linked(facts, 'Accepter l’invitation'),
    closing: [SINGLE_USE_NOTICE, 'Si vous n’attendiez pas cette invitation, ignorez ce message.'],
  }),
  email_change_current: (facts: AccountMailFacts): Letter => ({
    subject: 'Confirmez le changement d’adresse email',
    title: 'Changer l’adresse de votre compte',
    preview: facts.is_one_enough
      ? 'Suivez le lien de ce message pour l’accepter.'
      : 'Votre accord est nécessaire depuis cette adresse aussi.',
    paragraphs: [
      `Votre compte Quizaine doit passer de ${facts.email} à ${facts.new_email}.`,
      `Confirmez-le depuis ${facts.is_one_enough ? 'l’une de ' : ''}vos deux adresses : un message a été envoyé à chacune.`,
    ],
    ...linked(facts, 'Accepter le changement'),
    closing: [
      SINGLE_USE_NOTICE,
      'Si ce n’était pas vous, ne suivez pas ce lien et changez votre mot de passe : quelqu’un d’autre est connecté à votre compte.',
    ],
  }),
  email_change_new: (facts: AccountMailFacts): Letter => ({
    subject: 'Confirmez votre nouvelle adresse email',
    title: 'Votre nouvelle adresse',
    preview: 'Confirmez qu’elle est bien la vôtre.',
    paragraphs: [`Cette adresse, ${facts.new_email}, doit devenir celle d’un compte Quizaine.`],
    ...linked(facts, 'Confirmer cette adresse'),
    closing: [SINGLE_USE_NOTICE, UNREQUESTED_NOTICE],
  }),
  reauthentication: (facts: AccountMailFacts): Letter => ({
    subject: 'Votre code de vérification',
    title: 'C’est bien vous ?',
    preview: 'Saisissez ce code pour continuer.',
    paragraphs: ['Une opération sensible de votre compte Quizaine demande une vérification.'],
    code: { label: 'Saisissez ce code pour continuer :', digits: facts.code ?? '' },
    closing: [
      'Ce code est valable une heure et ne sert qu’une fois. Ne le donnez à personne.',
      'Si ce n’était pas vous, changez votre mot de passe.',
    ],
  }),
  reply_address: (facts: AccountMailFacts): Letter => ({
    subject: 'Votre code de vérification',
    title: 'Recevoir les réponses ici ?',
    preview: 'Saisissez ce code pour confirmer cette adresse.',
    paragraphs: [
      'Le titulaire d’un compte Quizaine demande que les réponses à ses emails arrivent à cette adresse.',
    ],
    code: { label: 'Si c’est vous, saisissez ce code :', digits: facts.code ?? '' },
    closing: [
      'Ce code est valable une heure et ne sert qu’une fois. Ne le donnez à personne.',
      UNREQUESTED_NOTICE,
    ],
  }),
  password_changed: (facts: AccountMailFacts): Letter => ({
    subject: 'Votre mot de passe a été changé',
    title: 'Mot de passe changé',
    preview: 'Les autres appareils ont été déconnectés.',
    paragraphs: [
      `Le mot de passe du compte ${facts.email} vient d’être changé. Les autres appareils ont été déconnectés.`,
    ],
    closing: [
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe avec « Mot de passe oublié ? » sur l’écran de connexion.',
    ],
  }),
  email_changed: (facts: AccountMailFacts): Letter => ({
    subject: 'L’adresse de votre compte a été changée',
    title: 'Adresse changée',
    preview: 'Votre compte a désormais une autre adresse.',
    paragraphs: [
      `Le compte Quizaine de ${facts.email} a désormais l’adresse ${facts.new_email}. Cette adresse-ci ne l’ouvre plus.`,
    ],
    closing: ['Si ce n’était pas vous, prévenez sans attendre la personne qui gère ce site.'],
  }),
  account_deleted: (facts: AccountMailFacts): Letter => ({
    subject: 'Votre compte a été supprimé',
    title: 'Compte supprimé',
    preview: 'Vos questionnaires et leurs réponses ont été effacés.',
    paragraphs: [
      `Le compte Quizaine de ${facts.email} vient d’être supprimé, avec ses questionnaires et toutes leurs réponses. Rien ne peut être récupéré.`,
    ],
    closing: ['Si ce n’était pas vous, prévenez sans attendre la personne qui gère ce site.'],
  }),
  factor_added: (facts: AccountMailFacts): Letter => ({
    subject: 'La double authentification est activée',
    title: 'Double authentification activée',
    preview: 'Un second code est demandé à la connexion.',
    paragraphs: [
      `Le compte ${facts.email} demande désormais un second facteur à la connexion, en plus du mot de passe.`,
    ],
    closing: ['Si ce n’était pas vous, changez tout de suite votre mot de passe.'],
  }),
  factor_removed: (facts: AccountMailFacts): Letter => ({
    subject: 'Un second facteur a été retiré',
    title: 'Second facteur retiré',
    preview: 'La sécurité de votre compte a changé.',
    paragraphs: [`Un second facteur de connexion vient d’être retiré du compte ${facts.email}.`],
    closing: ['Si ce n’était pas vous, changez tout de suite votre mot de passe.'],
  }),
  ways_in_replaced: (facts: AccountMailFacts): Letter => ({
    subject: 'Votre façon de vous connecter a changé',
    title: 'Connexion changée',
    preview: 'L’ancien mot de passe n’ouvre plus votre compte.',
    paragraphs: [
      `Le compte ${facts.email} vient d’être ouvert par un service de connexion qui a vérifié cette adresse. Le compte avait été ouvert sans cette vérification : par sécurité, l’ancien mot de passe, les seconds facteurs et les appareils connectés jusqu’ici ne l’ouvrent plus.`,
    ],
    closing: [
      'Pour avoir de nouveau un mot de passe, choisissez-en un avec « Mot de passe oublié ? » sur l’écran de connexion.',
    ],
  }),
  connection_blocked: (facts: AccountMailFacts): Letter => ({
    subject: `${facts.tool} n’accepte plus vos envois`,
    title: `Vérifiez votre compte ${facts.tool}`,
    preview: 'Les participants attendent : aucun n’est perdu.',
    paragraphs: [
      ...instructionParagraphs(facts),
      `${facts.tool} refuse le compte que vous avez connecté à Quizaine. Les envois sont suspendus ; ${waitingText(facts.nb_waiting ?? 0)} : tout partira de soi-même dès que la connexion sera rétablie.`,
    ],
    action: { label: 'Ouvrir « Mon compte »', url: facts.url ?? '' },
    closing: ['Ce message n’est envoyé qu’une fois par incident.'],
  }),
  webhook_blocked: (facts: AccountMailFacts): Letter => ({
    subject: `${facts.tool} n’accepte plus vos participants`,
    title: 'Vérifiez votre webhook',
    preview: 'Les participants attendent : aucun n’est perdu.',
    paragraphs: [
      ...instructionParagraphs(facts),
      `${facts.tool} refuse les participants que Quizaine lui envoie. Les envois sont suspendus ; ${waitingText(facts.nb_waiting ?? 0)} : tout partira de soi-même dès que l’adresse répondra de nouveau.`,
    ],
    action: { label: `Ouvrir les réglages du ${quizNoun(facts.quiz)}`, url: facts.url ?? '' },
    closing: ['Ce message n’est envoyé qu’une fois par incident.'],
  }),
} satisfies Record<string, (facts: AccountMailFacts) => Letter>

/** Returns the instruction of the mail. Mails queued by an earlier version have none. */
const instructionParagraphs = ({ to_do }: AccountMailFacts): string[] =>
  to_do === undefined ? [] : [to_do]

const waitingText = (count: number): string =>
  count > 1 ? `${count} participants attendent` : 'un participant attend'

/** Kind of a mail about an account. */
export type LetterKind = keyof typeof accountLetters
