import { z } from 'zod'
import { calls } from './kit/calls.ts'
import { group } from './kit/endpoint.ts'
import { text } from './kit/fields.ts'

const { integrations: at } = calls
const LONGEST_KEY = 500

/** What is said of a connection besides whether there is one: never its secret. */
const details = {
  /** Whose account it is, where the tool says so. */
  email: z.string().nullable(),
  needs_attention: z.boolean(),
  /** What the creator has to do, in a sentence. */
  message: z.string().nullable(),
}
const kitStatus = z.object({ connected: z.boolean(), ...details })
const keyStatus = z.object({ configured: z.boolean(), ...details })

const key = z
  .object({
    api_key: text(LONGEST_KEY).trim(),
    /** Without it, a key of another account than the one that is connected is refused (409, other_account). */
    replace_account: z.boolean().optional(),
  })
  // Nothing else can be a header. A person reads this about what they pasted, not about a field's name.
  .refine(({ api_key }) => /^[\x21-\x7e]+$/.test(api_key), {
    path: [],
    error:
      'Cette clé n’est pas valable : une clé n’a que des lettres sans accent, des chiffres et des signes simples, sans espace. Copiez-la de nouveau.',
  })

const quizSwitch = z.object({
  /** Chosen by the creator, and the account is connected. */
  enabled: z.boolean(),
  /** Whether a tag named after the result is given besides. */
  tag_by_result: z.boolean(),
  /** Whether the parameters of the address go into fields besides. */
  sends_parameters: z.boolean(),
})
const switches = z.object({
  convertkit: quizSwitch,
  systemio: quizSwitch,
  brevo: quizSwitch,
  /** Whether a tool was ever switched on; before the first one, screens ask about consent. */
  has_been_enabled: z.boolean(),
})
const setting = {
  access: 'creator',
  body: z.object({
    /** What is left out stays as it is. */
    enabled: z.boolean().optional(),
    tag_by_result: z.boolean().optional(),
    sends_parameters: z.boolean().optional(),
  }),
  answer: switches,
} as const

/** The creator's accounts at email tools, and which quizzes forward to them (spec §7). */
export const integrations = group({
  kitStatus: {
    ...at.kitStatus,
    access: 'creator',
    answer: kitStatus,
    summary: 'Si un compte Kit est connecté',
  },
  connectKit: {
    ...at.connectKit,
    access: 'creator',
    key_scope: 'none',
    query: z.object({
      /** Where an installation that began at Kit ends. */
      return_to: z.string().max(2_000).optional(),
      /** Another account than the one that is connected may take its place. */
      replace_account: z.literal('true').optional(),
    }),
    answer: z.object({ auth_url: z.url() }),
    summary: 'L’adresse où donner son accord ; un cookie lie le retour à ce navigateur',
  },
  disconnectKit: {
    ...at.disconnectKit,
    access: 'creator',
    key_scope: 'none',
    answer: kitStatus,
    summary: 'Retirer l’accord chez Kit et oublier ses jetons',
  },
  checkKit: {
    ...at.checkKit,
    access: 'creator',
    key_scope: 'none',
    answer: kitStatus,
    summary: 'Demander à Kit s’il accepte de nouveau le compte connecté',
  },
  systemioStatus: {
    ...at.systemioStatus,
    access: 'creator',
    answer: keyStatus,
    summary: 'Si une clé de Systeme.io est enregistrée',
  },
  saveSystemio: {
    ...at.saveSystemio,
    access: 'creator',
    key_scope: 'none',
    body: key,
    answer: keyStatus,
    summary: 'Vérifier une clé chez Systeme.io et l’enregistrer ; elle n’est jamais rendue',
  },
  removeSystemio: {
    ...at.removeSystemio,
    access: 'creator',
    key_scope: 'none',
    summary: 'Oublier la clé de Systeme.io',
  },
  checkSystemio: {
    ...at.checkSystemio,
    access: 'creator',
    key_scope: 'none',
    answer: keyStatus,
    summary: 'Demander à Systeme.io s’il accepte de nouveau la clé enregistrée',
  },
  brevoStatus: {
    ...at.brevoStatus,
    access: 'creator',
    answer: keyStatus,
    summary: 'Si une clé de Brevo est enregistrée',
  },
  saveBrevo: {
    ...at.saveBrevo,
    access: 'creator',
    key_scope: 'none',
    body: key,
    answer: keyStatus,
    summary: 'Vérifier une clé chez Brevo et l’enregistrer ; elle n’est jamais rendue',
  },
  removeBrevo: {
    ...at.removeBrevo,
    access: 'creator',
    key_scope: 'none',
    summary: 'Oublier la clé de Brevo',
  },
  checkBrevo: {
    ...at.checkBrevo,
    access: 'creator',
    key_scope: 'none',
    answer: keyStatus,
    summary: 'Demander à Brevo s’il accepte de nouveau la clé enregistrée',
  },
  ofQuiz: {
    ...at.ofQuiz,
    access: 'creator',
    answer: switches,
    summary: 'Les outils auxquels les participants d’un quiz sont transmis',
  },
  setConvertkit: {
    ...at.setConvertkit,
    ...setting,
    summary: 'Transmettre ou non les participants d’un quiz à Kit ; crée le champ personnalisé',
  },
  setSystemio: {
    ...at.setSystemio,
    ...setting,
    summary:
      'Transmettre ou non les participants d’un quiz à Systeme.io ; crée le champ de contact',
  },
  setBrevo: {
    ...at.setBrevo,
    ...setting,
    summary: 'Transmettre ou non les participants d’un quiz à Brevo ; crée l’attribut',
  },
})

export type KitStatus = z.output<typeof kitStatus>
export type KeyStatus = z.output<typeof keyStatus>
export type QuizSwitches = z.output<typeof switches>
