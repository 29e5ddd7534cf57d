import { DeskPage } from './parts/list-page.tsx';

export default function Surveys() {
  return <DeskPage title="Surveys">{null}</DeskPage>;
}
