/** Draws the tree on a canvas, with one path per mark: thousands of interviews in a few milliseconds. */
import type { NodeMark } from './tree-color.ts';
import type { PlacedNode, TreeLayout } from './tree-layout.ts';
import type { CanvasSize, TreeView } from './tree-view.ts';

export interface TreeInk {
  line: string;
  text: string;
  mark: string;
  card: string;
}

export interface TreeScene {
  layout: TreeLayout;
  view: TreeView;
  size: CanvasSize;
  ink: TreeInk;
  markOf(place: PlacedNode): NodeMark;
  isDim(place: PlacedNode): boolean;
  selected: string | null;
  waveLabel(wave: number): string;
  labelOf(place: PlacedNode): string;
}

const LABELS_FROM_SCALE = 0.9;

/** Minimum radius: a small tree has room for larger dots than one with thousands. */
const minRadius = (many: number): number => Math.max(1.8, Math.min(5, 60 / Math.sqrt(many)));

function radius({ node }: PlacedNode, { layout, view }: TreeScene): number {
  const grown = (4.2 + Math.sqrt(node.recruits)) * Math.min(1.4, view.scale);
  return Math.max(minRadius(layout.placed.length), Math.min(9, grown));
}

export function drawTree(context: CanvasRenderingContext2D, picture: TreeScene): void {
  const { size, layout } = picture;
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  context.font = '600 12px system-ui, sans-serif';
  drawRings(context, picture);
  drawLinks(context, picture);
  drawNodes(context, picture);
  drawWaves(context, picture);
  if (picture.view.scale >= LABELS_FROM_SCALE) drawLabels(context, picture);
  const chosen = layout.placed.find(({ node }) => node.id === picture.selected);
  if (chosen) drawChosen(context, picture, chosen);
}

const onScreen = ({ view }: TreeScene, { x, y }: PlacedNode): [number, number] => [
  view.x + x * view.scale,
  view.y + y * view.scale,
];

function drawRings(context: CanvasRenderingContext2D, { layout, view, ink, size }: TreeScene): void {
  context.strokeStyle = ink.line;
  context.lineWidth = 1;
  context.globalAlpha = 0.7;
  for (const { at } of layout.waves) {
    const far = at * view.scale;
    context.beginPath();
    if (layout.shape === 'round') context.arc(view.x, view.y, far, 0, 2 * Math.PI);
    else {
      context.moveTo(view.x + far, 0);
      context.lineTo(view.x + far, size.height);
    }
    context.stroke();
  }
  context.globalAlpha = 1;
}

/** With an outline in the background color, so that they are readable on top of anything. */
function drawWaves(context: CanvasRenderingContext2D, { layout, view, ink, waveLabel }: TreeScene): void {
  context.strokeStyle = ink.card;
  context.fillStyle = ink.mark;
  context.lineWidth = 4;
  context.textAlign = 'center';
  let last = -Infinity;
  for (const { wave, at } of layout.waves) {
    const far = at * view.scale;
    const label = waveLabel(wave);
    const room = layout.shape === 'round' ? 18 : context.measureText(label).width + 10;
    if (wave === layout.waves[0]?.wave && layout.shape === 'round') continue;
    if (far - last < room) continue;
    last = far;
    const [x, y] = layout.shape === 'round' ? [view.x, view.y - far + 4] : [view.x + far, 14];
    context.strokeText(label, x, y);
    context.fillText(label, x, y);
  }
}

function drawLinks(context: CanvasRenderingContext2D, picture: TreeScene): void {
  const { layout, ink } = picture;
  context.strokeStyle = ink.text;
  context.globalAlpha = 0.6;
  context.lineWidth = Math.max(0.5, Math.min(1.6, picture.view.scale * 1.4));
  context.beginPath();
  for (const place of layout.placed) {
    if (!place.parent) continue;
    const [x, y] = onScreen(picture, place);
    const [px, py] = onScreen(picture, place.parent);
    context.moveTo(px, py);
    if (layout.shape === 'rows') context.bezierCurveTo((px + x) / 2, py, (px + x) / 2, y, x, y);
    else context.lineTo(x, y);
  }
  context.stroke();
  context.globalAlpha = 1;
}

type Outline = (context: CanvasRenderingContext2D, x: number, y: number, r: number) => void;

/** Sized so that every shape looks about as large as a circle of radius `r`. */
const outline: Record<NodeMark['shape'], Outline> = {
  circle: (context, x, y, r) => {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
  },
  square: (context, x, y, r) => context.rect(x - 0.89 * r, y - 0.89 * r, 1.78 * r, 1.78 * r),
  triangle: (context, x, y, r) => {
    context.moveTo(x, y - 1.4 * r);
    context.lineTo(x + 1.25 * r, y + 0.75 * r);
    context.lineTo(x - 1.25 * r, y + 0.75 * r);
    context.closePath();
  },
};

function drawNodes(context: CanvasRenderingContext2D, picture: TreeScene): void {
  const { layout, ink } = picture;
  const groups = new Map<string, NodeMark & { places: PlacedNode[] }>();
  for (const place of layout.placed) {
    const { color: own, shape } = picture.markOf(place);
    const color = picture.isDim(place) ? ink.line : own;
    const key = `${color} ${shape}`;
    const group = groups.get(key);
    if (group) group.places.push(place);
    else groups.set(key, { color, shape, places: [place] });
  }
  for (const { color, shape, places } of groups.values()) {
    context.beginPath();
    for (const place of places) outline[shape](context, ...onScreen(picture, place), radius(place, picture));
    context.fillStyle = color;
    context.fill();
  }
  // Deleted interviews are drawn as empty rings.
  context.fillStyle = ink.card;
  context.beginPath();
  for (const place of layout.placed.filter(({ node }) => node.deleted)) {
    const [x, y] = onScreen(picture, place);
    const r = radius(place, picture) * 0.6;
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 2 * Math.PI);
  }
  context.fill();
}

function drawLabels(context: CanvasRenderingContext2D, picture: TreeScene): void {
  const { layout, ink, size } = picture;
  context.fillStyle = ink.text;
  context.textAlign = 'left';
  context.font = '11px system-ui, sans-serif';
  // The outline in the background color separates the text from lines behind it.
  context.strokeStyle = ink.card;
  context.lineWidth = 3;
  for (const place of layout.placed) {
    const [x, y] = onScreen(picture, place);
    if (x < -40 || y < -20 || x > size.width + 40 || y > size.height + 20) continue;
    const label = picture.labelOf(place);
    const short = label.length > 16 ? `${label.slice(0, 15)}…` : label;
    const [left, base] = [x + radius(place, picture) + 4, y + 4];
    context.strokeText(short, left, base);
    context.fillText(short, left, base);
  }
}

/** Highlights the selected interview and its path back to the seed. */
function drawChosen(context: CanvasRenderingContext2D, picture: TreeScene, chosen: PlacedNode): void {
  context.strokeStyle = picture.ink.mark;
  context.lineWidth = 2.5;
  context.beginPath();
  for (let at: PlacedNode = chosen; at.parent; at = at.parent) {
    const [x, y] = onScreen(picture, at);
    const [px, py] = onScreen(picture, at.parent);
    context.moveTo(x, y);
    context.lineTo(px, py);
  }
  const [x, y] = onScreen(picture, chosen);
  const r = radius(chosen, picture) + 4;
  context.moveTo(x + r, y);
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.stroke();
}
