const FOLDER = '../../../domain/templates/'
const files = import.meta.glob<string>('../../../domain/templates/*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The texts of the templates, by the names of their files. */
export const TEMPLATE_TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(files).map(([path, text]) => [path.slice(FOLDER.length, -'.txt'.length), text]),
)
