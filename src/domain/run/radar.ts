/** Smallest number of dimensions that a radar chart can show. */
export const MIN_RADAR_AXES = 3
/** Percentages at which a radar chart has a ring. */
export const RADAR_RINGS = [25, 50, 75, 100]
/** Distance from the centre to the upper edge of a radar chart, in units in which a percentage is a distance. */
export const RADAR_RADIUS = 130
/** Distance of the numbers of the axes from the centre. */
export const RADAR_LABELS_AT = 116

const round = (length: number): number => Math.round(length * 10) / 10

/** Returns the point of an axis at a percentage. The first axis points up, and the others follow clockwise. */
export const radarPoint = (
  axis: number,
  nb_axes: number,
  percent: number,
): [x: number, y: number] => {
  const angle = (2 * Math.PI * axis) / nb_axes
  return [round(percent * Math.sin(angle)), round(-percent * Math.cos(angle))]
}

/** Returns the distance from the centre to the lower edge, below the lowest number: less for an odd number of axes. */
export const radarBottom = (nb_axes: number): number =>
  radarPoint(Math.floor(nb_axes / 2), nb_axes, RADAR_LABELS_AT)[1] + RADAR_RADIUS - RADAR_LABELS_AT

/** Returns the area of a radar chart as an SVG view box. */
export const radarViewBox = (nb_axes: number): string =>
  `-${RADAR_RADIUS} -${RADAR_RADIUS} ${2 * RADAR_RADIUS} ${RADAR_RADIUS + radarBottom(nb_axes)}`

/** Returns the points of a polygon with one percentage for each axis, as SVG writes them. */
export const radarPolygon = (percents: readonly number[]): string =>
  percents.map((percent, axis) => radarPoint(axis, percents.length, percent).join(',')).join(' ')
