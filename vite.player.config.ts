import { defineConfig, type Plugin } from 'vite'

/** The player needs React's classes alone: without hooks and preact/compat its page is a fifth smaller. */
const PREACT: Record<string, string> = {
  react: 'preact',
  'react-dom/client': '#web/player/preact-root.ts',
  'react/jsx-runtime': '#web/player/preact-jsx.ts',
}

/** Visitors run the player on Preact; the server renders it with React, as the previews do. */
const preactForVisitors: Plugin = {
  name: 'preact-for-visitors',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'client' && process.env.PUBLIC_RUNTIME !== 'react',
  resolveId(id) {
    const replacement = PREACT[id]
    return replacement ? this.resolve(replacement) : undefined
  },
}

/** What React's classes may have and the player's have not: Preact need not ask for it. */
const UNUSED =
  /\b\w+\.(?:getDerivedStateFromProps|getDerivedStateFromError|componentDidCatch|componentWillMount|componentWillUpdate|componentWillReceiveProps|componentWillUnmount|getSnapshotBeforeUpdate|shouldComponentUpdate|getChildContext|contextType|debounceRendering|moveBefore|dangerouslySetInnerHTML|vnode|diffed|unmount|event|then)\b(?!\s*=[^=])/g

/** Kinds of elements and attributes that the player has not: Preact's own comparisons with their names. */
const ABSENT =
  /"(?:svg|math|foreignObject|template|dangerouslySetInnerHTML|http:\/\/www\.w3\.org\/(?:2000\/svg|1998\/Math\/MathML))"==\w+/g
const NEVER_SET = /"(?:width|height|href|list|form|download|rowSpan|colSpan|popover)"!=\w+&&/g
/** Marks of portals, suspended parts and custom elements. */
const PORTAL = /\b\w+\.props\.__P\b(?!=[^=])|\b\w+\.__P(?=&&\(\w+=)/g
const SUSPENDED = /\b\w+(?:\.__c)?\.__z\b(?!\s*(?:=[^=]|\|\|))/g
const BUILT_IN = /,\w+\.is\?\w+:\w+\)/g

/** Leaves out of the visitors' Preact what their player has no use for. */
const lessPreact: Plugin = {
  name: 'less-preact',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: (code, id) =>
    /preact[/]dist[/]preact\.m?js$/.test(id)
      ? code
          .replaceAll(UNUSED, 'void 0')
          .replaceAll(ABSENT, 'false')
          .replaceAll(NEVER_SET, '')
          .replaceAll(PORTAL, 'void 0')
          .replaceAll(SUSPENDED, 'void 0')
          .replaceAll(BUILT_IN, ')')
      : undefined,
}

/** Parts of Preact that nothing of the player comes to, and what is left of them. */
const UNREACHED: [part: string, left: string][] = [
  ['"style"==t', 'false'],
  ['128&u.__u&&', 'false&&'],
  [',x.prototype.forceUpdate=function(n){this.__v&&(this.__g|=4,n&&this.__h.push(n),L(this))}', ''],
  ['"function"==typeof n&&(n=n(_({},r),this.props)),', ''],
  ['9==r.nodeType&&(r=r.documentElement),', ''],
  ['n&&"object"==typeof n&&(n.__u|=32)', 'n.__u|=32'],
  ['"progress"==C&&null==b?t.removeAttribute(s):', ''],
  // Hooks of tools that watch Preact.
  ['n.__&&n.__(t,r),', ''],
  [',(s=n.__b)&&s(r);', ';'],
  ['H=n.__r,', ''],
  ['H&&H(r),', ''],
  ['n.__m&&n.__m(r,o),', ''],
  ['n.__c&&n.__c(r,t),', ''],
]

/** The same for whole parts, by the letter of the one version that is installed; another must be read again. */
const leanPreact: Plugin = {
  name: 'lean-preact',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: (code, id) => {
    if (!/preact[/]dist[/]preact\.m?js$/.test(id)) return undefined
    return UNREACHED.reduce((text, [part, left]) => {
      if (!text.includes(part)) throw new Error(`Preact has changed: ${part}`)
      return text.replace(part, () => left)
    }, code)
  },
}

/**
 * The public page's script and stylesheet, which the server inlines, what renders its markup, and the
 * two ends of a frame on another site.
 */
export default defineConfig({
  plugins: [preactForVisitors, leanPreact, lessPreact],
  publicDir: false,
  builder: {},
  build: { outDir: 'dist/player', modulePreload: false, cssCodeSplit: false },
  environments: {
    client: {
      build: {
        target: 'es2022',
        rolldownOptions: {
          input: {
            player: 'src/web/player/main.tsx',
            framed: 'src/web/embed/framed.ts',
            embed: 'src/web/embed/embed.ts',
          },
          output: { entryFileNames: '[name].js', assetFileNames: 'player[extname]' },
        },
      },
    },
    ssr: {
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        emptyOutDir: false,
        target: 'node24',
        rolldownOptions: {
          input: 'src/web/player/render.tsx',
          output: { entryFileNames: 'render.js' },
        },
      },
    },
  },
})
