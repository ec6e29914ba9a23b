import type { PageNeeds } from '#domain/run/public-page/page-needs.ts'
import type { RichSnapshot } from '#domain/run/rich-text.ts'

/** Version as the renderers of pages read it: its texts are parsed. */
export type ParsedVersion = {
  quiz_id: string
  version: number
  snapshot: RichSnapshot
  /** True for a page in a frame of another site. */
  is_embedded: boolean
  /** Token of a trial run (domain/run/trial-runs.ts). */
  test_token?: string | undefined
  /** Token of an invitation (docs/decisions/083). */
  invitation_token?: string | undefined
}

/** Style and body of a rendered page. */
export type RenderedPage = { style: string; body: string }

/** Rendered public page, and the parts of the player that it needs. */
export type RenderedQuiz = RenderedPage & { needs: PageNeeds }

/**
 * Renders a page of a version with a function of the player, in a thread. `renderer` is the address of the built module of
 * the player, `name` the name of the function, and `rest` its further arguments.
 */
export const renderPageTask = async ({
  renderer,
  name,
  quiz,
  rest,
}: {
  renderer: string
  name: string
  quiz: ParsedVersion
  rest: readonly unknown[]
}): Promise<RenderedPage> => {
  const renders = (await import(renderer)) as Record<
    string,
    (quiz: ParsedVersion, ...rest: readonly unknown[]) => RenderedPage
  >
  const render = renders[name]
  if (!render) throw new Error(`The player has no function ${name}`)
  return render(quiz, ...rest)
}
