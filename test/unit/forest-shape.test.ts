/** The small pictures of chains, side by side. */
import { chainDrawingOf } from '../../client/src/dashboard/board/tree/forest-shape.ts';

test('a chain in one line is drawn in the middle, a branching one over the whole height', () => {
  expect(chainDrawingOf([-1, 0, 1], [])).toMatchObject({ height: 1, top: 0.5, edges: 'M0 0L1 0M1 0L2 0' });
  expect(chainDrawingOf([-1], [])).toMatchObject({ height: 1, top: 0.5 });
  expect(chainDrawingOf([-1, 0, 0], [])).toMatchObject({ height: 1, top: 0, edges: 'M0 0.5L1 0M0 0.5L1 1' });
});
