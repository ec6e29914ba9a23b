/** Images of the demo: still lifes of a few shapes as SVG of 1,200 × 900. */

const WIDTH = 1_200
const HEIGHT = 900

type Stop = [share: number, color: string]

const stops = (list: Stop[]): string =>
  list.map(([share, color]) => `<stop offset="${share}" stop-color="${color}"/>`).join('')

/** Draws a wall with light from the upper left, and a floor below `horizon`. */
const room = (wall: Stop[], floor: Stop[], horizon: number): string =>
  `<defs><radialGradient id="w" cx=".28" cy=".2" r="1">${stops(wall)}</radialGradient>` +
  `<linearGradient id="f" x2="0" y2="1">${stops(floor)}</linearGradient>` +
  '<filter id="s" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="18"/></filter></defs>' +
  `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#w)"/>` +
  `<rect y="${horizon}" width="${WIDTH}" height="${HEIGHT - horizon}" fill="url(#f)"/>`

const shadow = (x: number, y: number, width: number): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${width}" ry="${width / 7}" fill="#000" opacity=".22" filter="url(#s)"/>`

const path = (d: string, fill: string, more = ''): string =>
  `<path d="${d}" fill="${fill}" ${more}/>`

/** Draws an arch with its base at (x, y). */
const arch = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}v${width / 2 - height}a${width / 2} ${width / 2} 0 0 1 ${width} 0v${height - width / 2}z`

const vase = (x: number, y: number, size: number, fill: string): string =>
  path(
    `M${x - size * 0.14} ${y - size}h${size * 0.28}c0 ${size * 0.3} ${size * 0.3} ${size * 0.3} ${size * 0.3} ${size * 0.62}c0 ${size * 0.26} ${-size * 0.2} ${size * 0.38} ${-size * 0.44} ${size * 0.38}s${-size * 0.44} ${-size * 0.12} ${-size * 0.44} ${-size * 0.38}c0 ${-size * 0.32} ${size * 0.3} ${-size * 0.32} ${size * 0.3} ${-size * 0.62}z`,
    fill,
  )

/** Draws a twig with leaves on both sides, from its base upwards. */
const twig = (x: number, y: number, height: number, lean: number, fill: string): string => {
  const leaves = Array.from({ length: 7 }, (_, index) => {
    const share = 0.25 + index * 0.12
    const [at, up] = [x + lean * share * share, y - height * share]
    const side = index % 2 ? 1 : -1
    const length = height * (0.24 - index * 0.016)
    return path(
      `M${at} ${up}q${side * length * 0.35} ${-length * 0.75} ${side * length} ${-length * 0.55}q${-side * length * 0.2} ${length * 0.6} ${-side * length} ${length * 0.55}z`,
      fill,
      `opacity="${0.75 + (index % 3) * 0.12}"`,
    )
  })
  const stem = `<path d="M${x} ${y}q0 ${-height * 0.6} ${lean} ${-height}" stroke="${fill}" stroke-width="${height / 60}" fill="none"/>`
  return stem + leaves.join('')
}

const scene = (...parts: string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${parts.join('')}</svg>`

const curtain = (from: number, to: number, folds: number): string =>
  Array.from({ length: folds }, (_, index) => {
    const width = (to - from) / folds
    const x = from + index * width
    return `<rect x="${x}" width="${width + 1}" height="${HEIGHT}" fill="url(#c)"/>`
  }).join('')

/** Drawings and text alternatives by name. */
export const SCENES = {
  shop: {
    alt: 'Une devanture au store rayé, deux plantes devant la vitrine',
    svg: scene(
      room(
        [
          [0, '#ffe9d2'],
          [1, '#e8a877'],
        ],
        [
          [0, '#b4694a'],
          [1, '#7d4029'],
        ],
        720,
      ),
      '<rect x="210" y="250" width="780" height="480" rx="10" fill="#5b2f1f"/>',
      '<rect x="250" y="330" width="430" height="340" fill="#ffdcae"/><rect x="720" y="330" width="230" height="400" fill="#ffcf96"/>',
      '<rect x="463" y="330" width="6" height="340" fill="#5b2f1f"/><circle cx="740" cy="545" r="9" fill="#5b2f1f"/>',
      vase(345, 670, 150, '#c8562a'),
      vase(580, 670, 110, '#8fb0a3'),
      ...Array.from({ length: 10 }, (_, index) =>
        path(`M${190 + index * 82} 250h82v92a41 41 0 0 1-82 0z`, index % 2 ? '#fff6ea' : '#c8562a'),
      ),
      '<rect x="190" y="222" width="820" height="30" rx="8" fill="#4a2417"/>',
      shadow(150, 815, 120),
      shadow(1060, 815, 120),
      '<path d="M90 720h130l-18 100h-94z" fill="#8a4a31"/><path d="M995 720h130l-18 100h-94z" fill="#8a4a31"/>',
      ...[-60, 0, 60].flatMap((lean) => [
        twig(155, 725, 300, lean, '#3f6b4f'),
        twig(1060, 725, 300, lean, '#3f6b4f'),
      ]),
    ),
  },
  linen: {
    alt: 'Un vase blanc et une branche, dans une lumière douce',
    svg: scene(
      room(
        [
          [0, '#fffdf8'],
          [1, '#d9cfc0'],
        ],
        [
          [0, '#cdbfab'],
          [1, '#a8977f'],
        ],
        640,
      ),
      path(arch(650, 640, 380, 500), '#ece4d7'),
      path(arch(690, 640, 300, 440), '#f7f2e9'),
      shadow(430, 735, 170),
      twig(430, 470, 360, 110, '#8d957c'),
      twig(425, 470, 260, -90, '#a6ac94'),
      vase(430, 740, 290, '#fbf8f2'),
      shadow(800, 745, 120),
      '<ellipse cx="800" cy="700" rx="120" ry="46" fill="#e3d7c5"/><ellipse cx="800" cy="684" rx="120" ry="40" fill="#f3ecdf"/>',
    ),
  },
  bold: {
    alt: 'Un fauteuil bleu devant un mur orange et un grand disque rose',
    svg: scene(
      room(
        [
          [0, '#ff9a5c'],
          [1, '#d94f1f'],
        ],
        [
          [0, '#8c2f1a'],
          [1, '#5b1c12'],
        ],
        660,
      ),
      '<circle cx="790" cy="330" r="230" fill="#ffb7c5"/>',
      '<path d="M130 0h90v660h-90z" fill="#ffd166" opacity=".9"/><path d="M250 0h30v660h-30z" fill="#ffd166" opacity=".6"/>',
      shadow(560, 800, 300),
      '<rect x="360" y="380" width="400" height="270" rx="90" fill="#1f4e8c"/>',
      '<rect x="310" y="530" width="500" height="190" rx="60" fill="#2a66b3"/>',
      '<rect x="280" y="500" width="100" height="220" rx="50" fill="#1f4e8c"/><rect x="740" y="500" width="100" height="220" rx="50" fill="#1f4e8c"/>',
      '<path d="M350 715h26l-14 85h-12zM744 715h26l0 85h-12z" fill="#3a140d"/>',
    ),
  },
  warm: {
    alt: 'Une étagère de bois avec des livres, une lampe et une plante',
    svg: scene(
      room(
        [
          [0, '#ffe3b8'],
          [1, '#c98a52'],
        ],
        [
          [0, '#7a4a28'],
          [1, '#573117'],
        ],
        760,
      ),
      '<circle cx="890" cy="250" r="260" fill="#fff1cf" opacity=".45" filter="url(#s)"/>',
      '<rect x="120" y="470" width="960" height="34" rx="6" fill="#6b3f20"/><rect x="120" y="740" width="960" height="34" rx="6" fill="#6b3f20"/>',
      ...(['#2f5d50', '#b5482a', '#e9c46a', '#3d4f7c', '#d9d2c2'] as const).map(
        (fill, index) =>
          `<rect x="${190 + index * 54}" y="${300 - (index % 3) * 24}" width="46" height="${170 + (index % 3) * 24}" rx="4" fill="${fill}"/>`,
      ),
      '<path d="M800 300l180 0l-44-150h-92z" fill="#fff0cf"/><rect x="884" y="300" width="12" height="140" fill="#4a2b16"/><rect x="836" y="440" width="108" height="30" rx="12" fill="#4a2b16"/>',
      ...[-130, -60, 20, 90].map((lean) => twig(610, 380, 270, lean, '#4d7a4f')),
      '<path d="M540 360h140l-20 110h-100z" fill="#d98a5b"/>',
      vase(300, 740, 190, '#e6d3b3'),
      '<rect x="470" y="640" width="250" height="100" rx="10" fill="#a05a33"/><rect x="490" y="600" width="210" height="46" rx="10" fill="#c9895c"/>',
      vase(880, 740, 140, '#2f5d50'),
    ),
  },
  workshop: {
    alt: 'Un établi et ses outils',
    svg: scene(
      room(
        [
          [0, '#f3dcb6'],
          [1, '#b98550'],
        ],
        [
          [0, '#6e4526'],
          [1, '#4c2d17'],
        ],
        650,
      ),
      '<rect x="180" y="120" width="840" height="300" rx="12" fill="#e3c08d"/>',
      ...[0, 1, 2, 3, 4].map(
        (index) =>
          `<g transform="translate(${300 + index * 150} 170) rotate(${index % 2 ? 8 : -6})"><rect x="-9" width="18" height="130" rx="9" fill="#5b3a20"/><rect x="-32" y="110" width="64" height="${60 + index * 12}" rx="10" fill="${index % 2 ? '#7d8b8f' : '#a8562f'}"/></g>`,
      ),
      shadow(600, 830, 460),
      '<rect x="110" y="560" width="980" height="60" rx="10" fill="#8a5a34"/><path d="M180 620h50l-20 220h-34zM970 620h50l4 220h-34z" fill="#6b4426"/>',
      vase(400, 560, 150, '#d9cbb4'),
      '<rect x="620" y="500" width="260" height="60" rx="8" fill="#f2e4cb"/><rect x="650" y="470" width="200" height="32" rx="8" fill="#c98f5a"/>',
    ),
  },
  greenhouse: {
    alt: 'Une serre et ses plantes',
    svg: scene(
      room(
        [
          [0, '#e9f7f0'],
          [1, '#8fc4b2'],
        ],
        [
          [0, '#3f7461'],
          [1, '#255041'],
        ],
        690,
      ),
      ...[60, 420, 780].flatMap((x) => [
        path(arch(x, 690, 340, 610), '#f4fbf8', 'opacity=".75"'),
        `<path d="M${x + 170} 80v610M${x} 380h340" stroke="#5b9482" stroke-width="10"/>`,
      ]),
      ...[170, 390, 600, 830, 1040].flatMap((x, index) => [
        shadow(x, 815, 90),
        ...[-80, 0, 80].map((lean) =>
          twig(x, 730, 330 + (index % 2) * 110, lean, index % 2 ? '#2f7d5e' : '#3f9470'),
        ),
        `<path d="M${x - 62} 720h124l-16 95h-92z" fill="${index % 2 ? '#c9774b' : '#b8633c'}"/>`,
      ]),
    ),
  },
  theatre: {
    alt: 'Un rideau de théâtre ouvert sur une scène éclairée',
    svg: scene(
      room(
        [
          [0, '#3a2f66'],
          [1, '#150f2d'],
        ],
        [
          [0, '#7a4a3a'],
          [1, '#3a1f1c'],
        ],
        700,
      ),
      '<defs><linearGradient id="c"><stop offset="0" stop-color="#8e1730"/><stop offset=".5" stop-color="#d23a55"/><stop offset="1" stop-color="#7a1028"/></linearGradient></defs>',
      '<path d="M600 0L300 760h600z" fill="#ffe9b0" opacity=".35"/><ellipse cx="600" cy="770" rx="310" ry="60" fill="#ffe9b0" opacity=".6"/>',
      curtain(0, 290, 5),
      curtain(910, 1_200, 5),
      ...Array.from({ length: 8 }, (_, index) =>
        path(`M${index * 150} 0h150v110a75 60 0 0 1-150 0z`, index % 2 ? '#b32843' : '#9a1c36'),
      ),
      '<rect x="594" y="520" width="12" height="250" fill="#191233"/><ellipse cx="600" cy="772" rx="70" ry="16" fill="#191233"/>',
      '<rect x="572" y="440" width="56" height="110" rx="28" fill="#d9d2f2"/><path d="M572 500h56" stroke="#191233" stroke-width="8"/>',
    ),
  },
  market: {
    alt: 'Un étal de marché et ses fruits',
    svg: scene(
      room(
        [
          [0, '#fff0f2'],
          [1, '#f2b3bd'],
        ],
        [
          [0, '#b8848c'],
          [1, '#8a5c64'],
        ],
        720,
      ),
      ...Array.from({ length: 9 }, (_, index) =>
        path(
          `M${60 + index * 120} 120h120v130a60 60 0 0 1-120 0z`,
          index % 2 ? '#fffaf5' : '#b23a72',
        ),
      ),
      '<rect x="60" y="90" width="1080" height="34" rx="10" fill="#7d2450"/><rect x="110" y="250" width="16" height="520" fill="#8a5a3a"/><rect x="1074" y="250" width="16" height="520" fill="#8a5a3a"/>',
      shadow(600, 850, 480),
      '<path d="M90 620h1020l-50 210h-920z" fill="#a8704a"/>',
      ...Array.from({ length: 24 }, (_, index) => {
        const [column, row] = [index % 12, Math.floor(index / 12)]
        const fill = (['#e4572e', '#f3a712', '#8fb339', '#c6304f'] as const)[Math.floor(column / 3)]
        return `<circle cx="${155 + column * 81 + row * 20}" cy="${610 - row * 52}" r="40" fill="${fill}"/><circle cx="${143 + column * 81 + row * 20}" cy="${597 - row * 52}" r="11" fill="#fff" opacity=".35"/>`
      }),
    ),
  },
  mark: {
    alt: '',
    svg: '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 40 40"><rect width="40" height="40" rx="11" fill="#c8562a"/><path d="M27 9a13 13 0 1 0 4 19 11 11 0 0 1-4-19z" fill="#fff3e6"/></svg>',
  },
} as const

/** Name of a demo image. */
export type Scene = keyof typeof SCENES
