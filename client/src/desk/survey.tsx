import { DeskPage } from './parts/list-page.tsx';

export default function Survey() {
  return <DeskPage title="Survey">{null}</DeskPage>;
}
