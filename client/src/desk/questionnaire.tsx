import { DeskPage } from './parts/list-page.tsx';

export default function Questionnaire() {
  return <DeskPage title="Questionnaire">{null}</DeskPage>;
}
