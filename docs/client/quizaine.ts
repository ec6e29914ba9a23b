/**
 * Client de l’API de Quizaine, en un fichier et sans dépendance (Node 20 ou plus récent, Deno, Bun).
 * Écrit d’après le contrat de l’API : ne le modifiez pas, remplacez-le par celui de votre version (/docs/quizaine.ts).
 *
 *   const quizaine = createQuizaine({ origin: 'https://quiz.exemple.fr', key: process.env.QUIZAINE_CLE ?? '' })
 *   const { quizzes } = await quizaine.quizzes.list()
 */

export type Answer = {
  id: Uuid
  question_id: Uuid
  text: string
  score: number | null
  position: number
  image_id: Uuid | null
  image_alt: string | null
  jump_to: number | null
  is_correct: boolean
  associations: Array<Association>
}

export type Association = {
  id: Uuid
  answer_id: Uuid
  result_id: Uuid
  weight: number
  is_checked: boolean
}

export type ErrorBody = {
  error: string
  code: string
  validation_errors?: Array<string>
  error_id?: string
}

export type ListedQuiz = {
  id: Uuid
  name: string
  type: 'quiz' | 'sondage'
  status: 'Brouillon' | 'Publié'
  nb_responses: number
  folder_id: Uuid | null
  bg_color: string | null
  text_color: string | null
  button_color: string | null
  button_text_color: string | null
  accent_color: string | null
  kit_custom_field: string | null
  brevo_attribute_name: string | null
  consent_mode: 'box' | 'requested'
  consent_text: string | null
  sender_name: string | null
  measure_consent: boolean
  measure_text: string | null
  welcome_title: string | null
  welcome_button: string | null
  welcome_text: string | null
  welcome_image_id: Uuid | null
  welcome_image_alt: string | null
  end_title: string | null
  end_text: string | null
  end_button_text: string | null
  end_button_url: string | null
  shows_detail: boolean
  dimension_chart: 'none' | 'bars' | 'radar'
  allows_restart: boolean
  shows_corrections: 'never' | 'page' | 'end'
  report: 'none' | 'result' | 'replies'
  certificate_percent: number | null
  certificate_title: string | null
  certificate_text: string | null
  certificate_issuer: string | null
  auto_advance: boolean
  address_form: 'vous' | 'tu'
  next_label: string | null
  back_label: string | null
  finish_label: string | null
  continue_label: string | null
  restart_label: string | null
  share_label: string | null
  report_label: string | null
  certificate_label: string | null
  font: 'system' | 'inter' | 'nunito' | 'poppins' | 'work-sans' | 'lora' | 'playfair-display' | 'source-serif-4' | 'space-grotesk'
  corners: 'square' | 'soft' | 'round'
  logo_image_id: Uuid | null
  background_image_id: Uuid | null
  tie_rule: 'priority' | 'question' | 'both'
  tie_question_id: Uuid | null
  slug: string | null
  opens_at: string | null
  closes_at: string | null
  max_responses: number | null
  closed_text: string | null
  parameters: Array<string>
  confirms_email: boolean
  keeps_page: boolean
  page_erases_contacts: boolean
  created_at: Timestamp
  updated_at: Timestamp
  trashed_at?: Timestamp
}

export type Question = {
  id: Uuid
  quiz_id: Uuid
  text: string
  type: 'multiple_choice' | 'text' | 'textarea' | 'email' | 'phone' | 'number' | 'scale' | 'date'
  position: number
  global_position: number
  page_number: number
  image_id: Uuid | null
  image_alt: string | null
  label: string | null
  help: string | null
  is_required: boolean
  max_choices: number | null
  has_other: boolean
  shuffles_answers: boolean
  scale_min: 0 | 1
  scale_max: 5 | 7 | 10
  scale_min_label: string | null
  scale_max_label: string | null
  counts_in_score: boolean
  shows_recommendation: boolean
  dimension_id: Uuid | null
  contact_role: 'first_name' | 'last_name' | 'phone' | null
  grid_title: string | null
  continues_grid: boolean
  explanation: string | null
  all_or_nothing: boolean
  answers: Array<Answer>
}

export type Quiz = {
  id: Uuid
  name: string
  type: 'quiz' | 'sondage'
  status: 'Brouillon' | 'Publié'
  nb_responses: number
  folder_id: Uuid | null
  bg_color: string | null
  text_color: string | null
  button_color: string | null
  button_text_color: string | null
  accent_color: string | null
  kit_custom_field: string | null
  brevo_attribute_name: string | null
  consent_mode: 'box' | 'requested'
  consent_text: string | null
  sender_name: string | null
  measure_consent: boolean
  measure_text: string | null
  welcome_title: string | null
  welcome_button: string | null
  welcome_text: string | null
  welcome_image_id: Uuid | null
  welcome_image_alt: string | null
  end_title: string | null
  end_text: string | null
  end_button_text: string | null
  end_button_url: string | null
  shows_detail: boolean
  dimension_chart: 'none' | 'bars' | 'radar'
  allows_restart: boolean
  shows_corrections: 'never' | 'page' | 'end'
  report: 'none' | 'result' | 'replies'
  certificate_percent: number | null
  certificate_title: string | null
  certificate_text: string | null
  certificate_issuer: string | null
  auto_advance: boolean
  address_form: 'vous' | 'tu'
  next_label: string | null
  back_label: string | null
  finish_label: string | null
  continue_label: string | null
  restart_label: string | null
  share_label: string | null
  report_label: string | null
  certificate_label: string | null
  font: 'system' | 'inter' | 'nunito' | 'poppins' | 'work-sans' | 'lora' | 'playfair-display' | 'source-serif-4' | 'space-grotesk'
  corners: 'square' | 'soft' | 'round'
  logo_image_id: Uuid | null
  background_image_id: Uuid | null
  tie_rule: 'priority' | 'question' | 'both'
  tie_question_id: Uuid | null
  slug: string | null
  opens_at: string | null
  closes_at: string | null
  max_responses: number | null
  closed_text: string | null
  parameters: Array<string>
  confirms_email: boolean
  keeps_page: boolean
  page_erases_contacts: boolean
  created_at: Timestamp
  updated_at: Timestamp
}

export type Result = {
  id: Uuid
  quiz_id: Uuid
  name: string
  description: string | null
  priority_order: number
  min_score: number | null
  max_score: number | null
  image_id: Uuid | null
  image_alt: string | null
  button_text: string | null
  button_url: string | null
  redirect_url: string | null
  updated_at: Timestamp
}

export type Timestamp = string

export type Uuid = string

/** Un appel refusé : `message` est la phrase du serveur, `code` un mot pour les programmes. */
export class QuizaineError extends Error {
  readonly status: number
  readonly code: string
  /** Pourquoi une publication ou un texte est refusé, une phrase par raison. */
  readonly validation_errors: string[]
  /** Les secondes à attendre avant de réessayer, quand le serveur le demande (429, 503). */
  readonly retry_after: number | undefined

  constructor(response: Response, body: Partial<ErrorBody>) {
    super(body.error ?? `HTTP ${response.status}`)
    this.name = 'QuizaineError'
    this.status = response.status
    this.code = body.code ?? 'unknown'
    this.validation_errors = body.validation_errors ?? []
    this.retry_after = Number(response.headers.get('retry-after')) || undefined
  }
}

type Input = Record<string, unknown> & { body?: unknown }

/** Les noms entre accolades viennent de l’entrée ; ce qui n’est pas dans le chemin va dans la requête. */
const addressOf = (path: string, { body: _, ...input }: Input): string => {
  const query = new URLSearchParams()
  let address = path
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue
    if (address.includes(`{${name}}`))
      address = address.replace(`{${name}}`, () => encodeURIComponent(String(value)))
    else query.set(name, String(value))
  }
  return query.size > 0 ? `${address}?${query}` : address
}

/** Les appels de l’API. `origin` est l’adresse du site, `key` une clé des Paramètres ; jamais dans une page web. */
export const createQuizaine = ({
  origin,
  key,
  fetch: send = fetch,
}: {
  origin: string
  key: string
  fetch?: typeof fetch
}) => {
  const call = async <Given>(method: string, path: string, input: Input = {}): Promise<Given> => {
    const response = await send(`${origin}/api/v1${addressOf(path, input)}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    if (!response.ok) throw new QuizaineError(response, isJson ? JSON.parse(text) : {})
    return (isJson ? JSON.parse(text) : text || undefined) as Given
  }
  return {
    quizzes: {
      /** Les quiz du compte, du plus récemment modifié au plus ancien ; avec trash=1, ceux de la corbeille. */
      list: (input?: { trash?: '1' }) =>
        call<{ quizzes: Array<ListedQuiz>; nb_trashed: number }>('GET', '/quizzes', input),
      /** Créer un brouillon. */
      create: (input: { body: { name?: string; type: 'quiz' | 'sondage' } }) =>
        call<{ quiz: Quiz }>('POST', '/quizzes', input),
      /** Un quiz avec tout ce qui s’y modifie. */
      get: (input: { id: string }) =>
        call<{
          quiz: Quiz
          questions: Array<Question>
          answers: Array<Answer>
          results: Array<Result>
          free_fields: Array<Question>
          answer_results: Array<Association>
        }>('GET', '/quizzes/{id}', input),
      /** Changer les champs donnés ; le statut « Publié » publie, « Brouillon » retire. */
      update: (input: {
        id: string
        body: {
          bg_color?: string | null
          text_color?: string | null
          button_color?: string | null
          button_text_color?: string | null
          accent_color?: string | null
          welcome_title?: string | null
          welcome_button?: string | null
          welcome_text?: string | null
          welcome_image_id?: Uuid | null
          welcome_image_alt?: string | null
          end_title?: string | null
          end_text?: string | null
          end_button_text?: string | null
          end_button_url?: string | null
          shows_detail?: boolean
          dimension_chart?: 'none' | 'bars' | 'radar'
          allows_restart?: boolean
          shows_corrections?: 'never' | 'page' | 'end'
          report?: 'none' | 'result' | 'replies'
          certificate_percent?: number | null
          certificate_title?: string | null
          certificate_text?: string | null
          certificate_issuer?: string | null
          auto_advance?: boolean
          address_form?: 'vous' | 'tu'
          next_label?: string | null
          back_label?: string | null
          finish_label?: string | null
          continue_label?: string | null
          restart_label?: string | null
          share_label?: string | null
          report_label?: string | null
          certificate_label?: string | null
          font?: 'system' | 'inter' | 'nunito' | 'poppins' | 'work-sans' | 'lora' | 'playfair-display' | 'source-serif-4' | 'space-grotesk'
          corners?: 'square' | 'soft' | 'round'
          logo_image_id?: Uuid | null
          background_image_id?: Uuid | null
          tie_rule?: 'priority' | 'question' | 'both'
          tie_question_id?: Uuid | null
          consent_mode?: 'box' | 'requested'
          consent_text?: string | null
          measure_consent?: boolean
          measure_text?: string | null
          sender_name?: string | null
          name?: string
          type?: 'quiz' | 'sondage'
          status?: 'Brouillon' | 'Publié'
          kit_custom_field?: string | null
          brevo_attribute_name?: string | null
          slug?: string | null
          opens_at?: string | null
          closes_at?: string | null
          max_responses?: number | null
          closed_text?: string | null
          parameters?: Array<string>
          confirms_email?: boolean
          keeps_page?: boolean
          page_erases_contacts?: boolean
          based_on?: number
          replaces?: {
            slug?: string | null
            opens_at?: string | null
            closes_at?: string | null
            max_responses?: number | null
            closed_text?: string | null
            parameters?: Array<string>
            confirms_email?: boolean
            keeps_page?: boolean
            page_erases_contacts?: boolean
          }
        }
      }) =>
        call<{ quiz: Quiz }>('PUT', '/quizzes/{id}', input),
      /** Mettre un quiz et ses réponses à la corbeille pour 30 jours ; avec permanently=1, les supprimer définitivement. */
      remove: (input: { id: string; permanently?: '1' }) =>
        call<void>('DELETE', '/quizzes/{id}', input),
      /** Créer un brouillon avec le contenu d’un autre quiz, sans ses réponses ni ses outils. */
      duplicate: (input: { id: string }) =>
        call<{ quiz: Quiz }>('POST', '/quizzes/{id}/duplicate', input),
      /** Créer un brouillon depuis un texte (docs/text-format.md) ; 400 avec chaque ligne refusée. */
      importText: (input: { body: { text: string } }) =>
        call<{ quiz: Quiz }>('POST', '/quizzes/import', input),
      /** Le brouillon en texte, qui peut être importé (docs/text-format.md). */
      text: (input: { id: string }) =>
        call<string>('GET', '/quizzes/{id}/text', input),
      /** Publier : figer le brouillon en une nouvelle version, que les visiteurs voient. */
      publish: (input: { id: string }) =>
        call<{ quiz: Quiz }>('POST', '/quizzes/{id}/publish', input),
    },
    results: {
      /** Les résultats dans leur ordre. */
      list: (input: { id: string }) =>
        call<{ results: Array<Result> }>('GET', '/quizzes/{id}/results', input),
    },
    questions: {
      /** Les questions dans leur ordre, avec réponses et associations. */
      list: (input: { id: string }) =>
        call<{ questions: Array<Question> }>('GET', '/quizzes/{id}/questions', input),
    },
    statistics: {
      /** Les nombres par question, et les participants, des plus récents aux plus anciens sauf autre tri. */
      responses: (input: {
        id: string
        email?: string
        result?: string
        answer?: string
        tier?: string
        percent?: string
        certificate?: 'delivered' | 'none'
        confirmation?: 'waiting' | 'confirmed' | 'expired'
        campaign?: string | ''
        group?: string
        parameters?: string
        from?: string
        to?: string
        limit?: number
        cursor?: string
        sort?: 'date' | 'email' | 'result' | 'score' | 'delivery'
        order?: 'asc' | 'desc'
        search?: string
        outcomes?: '1'
        figures?: '1'
        async?: '1'
      }) =>
        call<{
          stats: Record<string, {
            question_text: string
            answers: Array<{
              answer_text: string
              count: number
              percentage: number
              filter?: string
              earlier_texts?: Array<string>
            }>
          }>
          details: Array<{
            participant_uuid: Uuid
            created_at: string
            email: string | null
            email_confirmation: 'waiting' | 'confirmed' | 'expired' | null
            first_name: string | null
            last_name: string | null
            phone: string | null
            final_result_name: string | null
            dimensions: Array<{ name: string; percent: number; tier: string | null }>
            answers: Array<{
              question_text: string
              answer_text: string
              choices: Array<string>
            }>
            elapsed_seconds: number | null
            is_suspect: boolean
            parameters: Record<string, string>
            score?: number | null
            percent?: number | null
            has_certificate?: boolean
            deliveries?: Array<{
              provider: 'convertkit' | 'systemio' | 'brevo' | 'webhook' | 'mail' | 'notice' | 'confirmation'
              connection_id: Uuid
              status: 'pending' | 'delivered' | 'suppressed' | 'refused' | 'no_consent' | 'no_email' | 'awaiting_confirmation' | 'not_confirmed'
            }>
          }>
          next_cursor: string | null
          figures?: {
            nb_participants: number
            nb_all_participants: number
            results: Array<{
              result_name: string
              count: number
              percentage: number
              filter?: string
            }>
            days: Array<{ day: string; count: number }>
            consent: { nb_asked: number; nb_agreed: number } | null
            confirmation: {
              nb_asked: number
              nb_confirmed: number
              nb_waiting: number
              nb_expired: number
            } | null
            scores: {
              count: number
              mean: number
              median: number
              min: number
              max: number
              histogram: Array<{ from: number; to: number; count: number }>
            } | null
            tiers: Array<{ result_name: string; min: number; max: number }>
            dimensions: Array<{
              id: Uuid
              name: string
              nb_participants: number
              mean: number
              deviation: number
              histogram: Array<number>
              tiers: Array<{
                title: string
                count: number
                percentage: number
                filter?: string
              }>
            }>
            right_answers: Array<{
              question_id: Uuid
              question_text: string
              nb_asked: number
              nb_answered: number
              nb_right: number
            }>
            duration: { count: number; median_seconds: number; is_more: boolean } | null
            visits: Array<{
              version: number
              has_jumps: boolean
              nb_confirmed: number | null
              steps: Array<{
                kind: 'opened' | 'began' | 'page' | 'finished'
                page: number | null
                count: number
              }>
            }> | null
            sources: Array<{
              name: string
              nb_participants: number
              values: Array<{ value: string; count: number }>
              nb_others: number
            }>
            questions: Record<string, {
              type: 'multiple_choice' | 'text' | 'textarea' | 'email' | 'phone' | 'number' | 'scale' | 'date'
              takes_several: boolean
              nb_participants: number
              nb_seen: number
              nb_answered: number
              nb_distinct: number | null
              others: Array<{ text: string; count: number }>
              numbers: {
                count: number
                mean: number
                median: number
                min: number
                max: number
                histogram: Array<{ from: number; to: number; count: number }>
              } | null
              recommendation: {
                nb_promoters: number
                nb_passives: number
                nb_detractors: number
                net: number
              } | null
            }>
            grids: Array<{ title: string | null; questions: Array<Uuid> }>
            choices: {
              results: Array<{ id: string; name: string }>
              questions: Array<{
                id: Uuid
                text: string
                answers: Array<{ id: string; text: string }>
              }>
              dimensions: Array<{
                id: Uuid
                name: string
                tiers: Array<{ id: string; text: string }>
              }>
              percents?: Array<{ id: string; name: string }>
              campaigns?: Array<{ id: Uuid; name: string; groups: Array<string> }>
              has_certificates?: true
            }
          }
          as_of?: {
            counted_at: string | null
            nb_all_participants: number
            choices: {
              results: Array<{ id: string; name: string }>
              questions: Array<{
                id: Uuid
                text: string
                answers: Array<{ id: string; text: string }>
              }>
              dimensions: Array<{
                id: Uuid
                name: string
                tiers: Array<{ id: string; text: string }>
              }>
              percents?: Array<{ id: string; name: string }>
              campaigns?: Array<{ id: Uuid; name: string; groups: Array<string> }>
              has_certificates?: true
            }
          }
        }>('GET', '/quizzes/{id}/responses', input),
      /** Les chiffres principaux de chaque quiz du compte. */
      overview: () =>
        call<{
          quizzes: Array<{
            id: Uuid
            nb_participants: number
            nb_opened: number
            nb_delivered: number
            days: Array<number>
            results: Array<{
              result_name: string
              count: number
              percentage: number
              filter?: string
            }>
            has_unpublished_changes: boolean
          }>
        }>('GET', '/statistics/overview'),
    },
    participants: {
      /** Supprimer un participant ; les chiffres sont comme s’il n’était jamais venu. Chaque outil nommé le supprime ou le désinscrit aussi. */
      remove: (input: {
        id: string
        participantId: string
        convertkit?: 'unsubscribe'
        systemio?: 'delete'
        brevo?: 'unsubscribe' | 'delete'
      }) =>
        call<void>('DELETE', '/quizzes/{id}/responses/{participantId}', input),
      /** Tout ce qu’une personne a donné aux quiz du compte, par son adresse. */
      ofPerson: (input: { body: { email: string } }) =>
        call<{
          email: string
          sent_to: {
            tools: Array<{
              provider: 'convertkit' | 'systemio' | 'brevo'
              kinds: Array<'unsubscribe' | 'delete'>
            }>
            nb_webhooks: number
          }
          responses: Array<{
            participant_uuid: Uuid
            created_at: string
            email: string | null
            email_confirmation: 'waiting' | 'confirmed' | 'expired' | null
            first_name: string | null
            last_name: string | null
            phone: string | null
            final_result_name: string | null
            dimensions: Array<{ name: string; percent: number; tier: string | null }>
            answers: Array<{
              question_text: string
              answer_text: string
              choices: Array<string>
            }>
            elapsed_seconds: number | null
            is_suspect: boolean
            parameters: Record<string, string>
            quiz_id: Uuid
            quiz_name: string
            score: number | null
          }>
          invitations: Array<{
            email: string
            first_name: string | null
            last_name: string | null
            group_name: string | null
            state: 'invited' | 'opened' | 'started' | 'replied' | 'refused' | 'failed'
            opened_at: Timestamp | null
            started_at: Timestamp | null
            replied_at: Timestamp | null
            refused_at: Timestamp | null
            quiz_id: Uuid
            quiz_name: string
            campaign_name: string
          }>
        }>('POST', '/people/find', input),
    },
    deliveries: {
      /** Combien d’envois de tous les quiz du compte il y a de chaque sorte. */
      summary: () =>
        call<{
          providers: Array<{
            provider: 'convertkit' | 'systemio' | 'brevo'
            pending: number
            delivered: number
            suppressed: number
            refused: number
            no_consent: number
            no_email: number
            awaiting_confirmation: number
            not_confirmed: number
            needs_attention: boolean
          }>
          is_told_by_mail: boolean
        }>('GET', '/deliveries/summary'),
    },
    exports: {
      /** Un lien de courte durée vers les participants en fichier (CSV, Excel ou JSON). */
      link: (input: {
        id: string
        body: {
          email?: string
          result?: string
          answer?: string
          tier?: string
          percent?: string
          certificate?: 'delivered' | 'none'
          confirmation?: 'waiting' | 'confirmed' | 'expired'
          campaign?: string | ''
          group?: string
          parameters?: string
          from?: string
          to?: string
          format: 'csv_excel' | 'csv' | 'xlsx' | 'json'
          choices?: 'joined' | 'columns'
        }
      }) =>
        call<{ url: string; file_name: string; expires_at: Timestamp }>('POST', '/quizzes/{id}/exports', input),
    },
  }
}

export type Quizaine = ReturnType<typeof createQuizaine>
type Responses = Quizaine['statistics']['responses']

/** Toutes les réponses d’un quiz, des plus récentes aux plus anciennes, lues page après page. */
export async function* everyResponse(
  { statistics }: Quizaine,
  input: Omit<Parameters<Responses>[0], 'cursor'>,
): AsyncGenerator<Awaited<ReturnType<Responses>>['details'][number]> {
  let cursor: string | undefined
  do {
    const page = await statistics.responses({ ...input, ...(cursor && { cursor }) })
    yield* page.details
    cursor = page.next_cursor ?? undefined
  } while (cursor)
}
