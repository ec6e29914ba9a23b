/** Beginning of the TypeScript client, before its types. */
export const CLIENT_START = `/**
 * Client de l’API de Quizaine, en un fichier et sans dépendance (Node 20 ou plus récent, Deno, Bun).
 * Écrit d’après le contrat de l’API : ne le modifiez pas, remplacez-le par celui de votre version (/docs/quizaine.ts).
 *
 *   const quizaine = createQuizaine({ origin: 'https://quiz.exemple.fr', key: process.env.QUIZAINE_CLE ?? '' })
 *   const { quizzes } = await quizaine.quizzes.list()
 */
`

/** End of the TypeScript client, after its types. The comment line 'calls' is replaced with the calls. */
export const CLIENT_END = `/** Un appel refusé : \`message\` est la phrase du serveur, \`code\` un mot pour les programmes. */
export class QuizaineError extends Error {
  readonly status: number
  readonly code: string
  /** Pourquoi une publication ou un texte est refusé, une phrase par raison. */
  readonly validation_errors: string[]
  /** Les secondes à attendre avant de réessayer, quand le serveur le demande (429, 503). */
  readonly retry_after: number | undefined

  constructor(response: Response, body: Partial<ErrorBody>) {
    super(body.error ?? \`HTTP \${response.status}\`)
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
    if (address.includes(\`{\${name}}\`))
      address = address.replace(\`{\${name}}\`, () => encodeURIComponent(String(value)))
    else query.set(name, String(value))
  }
  return query.size > 0 ? \`\${address}?\${query}\` : address
}

/** Les appels de l’API. \`origin\` est l’adresse du site, \`key\` une clé des Paramètres ; jamais dans une page web. */
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
    const response = await send(\`\${origin}/api/v1\${addressOf(path, input)}\`, {
      method,
      headers: {
        authorization: \`Bearer \${key}\`,
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
    // calls
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
`
