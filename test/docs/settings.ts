import { readConfig } from '../../src/platform/config.ts';

/** The variables that the service reads, recorded while it reads them. */
export function variablesRead(): string[] {
  const names = new Set<string>();
  const environment = new Proxy(
    {
      JWT_SECRET: 'so that none is made and kept by this test',
      IDENTITY_KEY: 'so that none is made and kept by this test',
      CONTACT_KEY: 'so that none is made and kept by this test',
      FIELD_KEY: 'AGE-SECRET-KEY-1EQCP92UMPH5NVTA22RGJZGE8Y6HSNDGXS0GEXL789W0D58KCMFMQS2L8MY',
    } as NodeJS.ProcessEnv,
    {
      get: (target, name) => {
        names.add(String(name));
        return target[String(name)];
      },
    },
  );
  readConfig(environment);
  return [...names].filter((name) => /^[A-Z][A-Z_]+$/.test(name)).sort();
}
