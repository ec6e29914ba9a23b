import assert from 'node:assert/strict'

/** Yields the response counts of a server-sent event stream. */
export async function* readLiveCounts(response: Response): AsyncGenerator<number> {
  let rest = ''
  const text = response.body?.pipeThrough(new TextDecoderStream())
  assert.ok(text)
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines)
      if (line.startsWith('data: '))
        yield (JSON.parse(line.slice('data: '.length)) as { nb_responses: number }).nb_responses
  }
}
