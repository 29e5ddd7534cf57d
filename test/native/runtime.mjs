/**
 * What Jest loads a test file with, instead of its sandbox: Node's own loader. The sandbox loads the service and its
 * packages anew for each file, which took seconds of each. A file that says `@jest-environment node` at its head has
 * the sandbox after all, as one needs that puts other globals under a package.
 */
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import './register.mjs';

const require = createRequire(import.meta.url);

let files = 0;
/** Coverage goes on from the first file to the last: to begin anew throws away what V8 has compiled. */
let session = null;

export default class NativeRuntime {
  #src;
  #covered = [];

  constructor(config, environment, ...more) {
    if (!environment.isNative) {
      // It ends the coverage of all when it ends its own.
      session = null;
      const { default: Sandbox } = require('jest-runtime');
      // biome-ignore lint/correctness/noConstructorReturn: Jest takes one kind of runtime for all files
      return new Sandbox(config, environment, ...more);
    }
    this.#src = pathToFileURL(join(config.rootDir, 'src') + sep).href;
  }

  async unstable_importModule(path) {
    files += 1;
    return await import(`${pathToFileURL(path)}?file=${files}`);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** The part of Jest that keeps the state of one file's tests. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  async collectV8Coverage() {
    if (session) return;
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  async stopCollectingV8Coverage() {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    this.#covered = result
      .filter(({ url }) => url.startsWith(this.#src))
      .map((one) => ({ codeTransformResult: undefined, result: { ...one, url: fileURLToPath(one.url) } }));
  }

  getAllV8CoverageInfoCopy() {
    return this.#covered;
  }

  getAllCoverageInfoCopy() {}
  setGlobalsForRuntime() {}
  getSourceMaps() {}
  enterTestCode() {}
  leaveTestCode() {}
  teardown() {}
}
