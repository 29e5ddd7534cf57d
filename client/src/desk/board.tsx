import { DeskPage } from './parts/list-page.tsx';

export default function Board() {
  return <DeskPage title="Board">{null}</DeskPage>;
}
