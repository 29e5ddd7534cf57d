/** The globals of a test file: those of its worker, which are put back as they were once the file is done. */
const { exit } = process;

export default class NativeEnvironment {
  isNative = true;
  global = globalThis;
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #settings = { ...process.env };

  async setup() {}

  async teardown() {
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#settings)) delete process.env[name];
    Object.assign(process.env, this.#settings);
    for (const key of Reflect.ownKeys(globalThis)) {
      // Jest keeps the state of a file's tests under symbols.
      if (!(key in this.#globals) && typeof key === 'symbol') Reflect.deleteProperty(globalThis, key);
    }
    for (const key of Reflect.ownKeys(this.#globals)) {
      const [was, is] = [this.#globals[key], Object.getOwnPropertyDescriptor(globalThis, key)];
      if (was.configurable && (was.value !== is?.value || was.get !== is?.get)) {
        Object.defineProperty(globalThis, key, was);
      }
    }
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return globalThis;
  }
}
