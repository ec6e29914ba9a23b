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
}

/** Style and body of a rendered page. */
export type RenderedPage = { style: string; body: string }

/** Rendered public page, and the parts of the player that it needs. */
export type RenderedQuiz = RenderedPage & { needs: PageNeeds }

/** Renders the public page of a version, in a thread. `renderer` is the address of the built module of the player. */
export const renderPageTask = async ({
  renderer,
  quiz,
}: {
  renderer: string
  quiz: ParsedVersion
}): Promise<RenderedQuiz> => {
  const { renderPublicPage } = (await import(renderer)) as {
    renderPublicPage: (quiz: ParsedVersion) => RenderedQuiz
  }
  return renderPublicPage(quiz)
}
