// Asks Perfetto's trace processor about a trace: node perfetto.js FOLDER TRACE QUERY...
//
// FOLDER has the build of ui.perfetto.dev for offline use: the trace processor in WebAssembly, and the worker that
// drives it, which runs here as in a browser. Prints a list with the rows of each query, as JSON. The worker takes and
// gives messages of protos/perfetto/trace_processor/trace_processor.proto; the numbers below are those of its fields.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [folder, trace, ...queries] = process.argv.slice(2);
const [APPEND, FINALIZE, QUERY] = [1, 2, 3];
const AT_ONCE = 16 << 20;

function varint(value) {
    const bytes = [];
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
    return Buffer.from([...bytes, value]);
}

/** A field of bytes. */
function field(number, bytes) {
    return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}

/** The whole numbers of these bytes, with their sign. */
function varints(bytes) {
    const found = [];
    for (let at = 0; at < bytes.length; ) {
        let [value, shift] = [0n, 0n];
        for (; ; shift += 7n) {
            const byte = bytes[at++];
            value |= BigInt(byte & 127) << shift;
            if (byte < 128) break;
        }
        found.push(Number(BigInt.asIntN(64, value)));
    }
    return found;
}

/** The fields of a message: by number, a list of whole numbers or of bytes. */
function fields(bytes) {
    const found = {};
    let at = 0;
    const next = () => {
        const from = at;
        while (bytes[at] >= 128) at++;
        return varints(bytes.subarray(from, ++at))[0];
    };
    while (at < bytes.length) {
        const key = next();
        const kind = key % 8;
        let value = kind === 1 ? 8 : kind === 5 ? 4 : next();
        if (kind !== 0) value = bytes.subarray(at, (at += value));
        (found[Math.floor(key / 8)] ??= []).push(value);
    }
    return found;
}

/** The rows of a query, of its replies. */
function rows(replies) {
    const rows = [];
    let names = [];
    for (const reply of replies) {
        const result = fields(fields(reply)[203][0]);
        if (result[2]?.[0]?.length) throw new Error(result[2][0].toString());
        names = (result[1] ?? []).map(String).concat(names);
        for (const batch of (result[3] ?? []).map(fields)) {
            const packed = (number) => Buffer.concat(batch[number] ?? []);
            const floats = packed(3);
            const numbers = Array.from({ length: floats.length / 8 }, (_, index) => floats.readDoubleLE(index * 8));
            // By the kind of a cell, of which 1 is none.
            const of = [[], [], varints(packed(2)), numbers, packed(5).toString().split("\0")];
            const taken = of.map(() => 0);
            const values = [...packed(1)].map((kind) => (kind === 1 ? null : of[kind][taken[kind]++]));
            for (let at = 0; at < values.length; at += names.length) {
                rows.push(Object.fromEntries(names.map((name, index) => [name, values[at + index]])));
            }
        }
    }
    return rows;
}

/** What the worker finds around itself: what a browser has, and files in place of the network. */
class Files {
    open(_, name) {
        this.file = path.join(folder, path.basename(String(name)));
    }
    setRequestHeader() {}
    send() {
        this.response = new Uint8Array(fs.readFileSync(this.file)).buffer;
        this.status = 200;
    }
}
const said = [];
const note = (...words) => said.push(words.join(" "));
const around = { XMLHttpRequest: Files, WorkerGlobalScope: Object, URL, TextDecoder, TextEncoder, performance };
Object.assign(around, { setTimeout, clearTimeout, console: { log: note, warn: note, error: note } });
around.self = around;
around.location = { href: "file:///worker.js", protocol: "file:", host: "" };

async function main() {
    vm.createContext(around);
    // Arrays of the other world are no instances of this one's classes.
    around.Uint8Array = vm.runInContext("Uint8Array", around);
    vm.runInContext(fs.readFileSync(path.join(folder, "engine_bundle.js"), "utf8"), around);
    let replies = [];
    const port = { postMessage: (bytes) => replies.push(Buffer.from(bytes)) };
    around.onmessage({ data: port });
    // It is ready when what its start has left to do is done.
    await new Promise((go) => setImmediate(go));
    const ask = (method, more) => {
        replies = [];
        const request = Buffer.concat([varint(2 * 8), varint(method), more]);
        port.onmessage({ data: around.Uint8Array.from(field(1, request)) });
        // Each is a field of a stream. It answers before it returns.
        const answers = fields(Buffer.concat(replies))[1] ?? [];
        for (const answer of answers.map(fields)) {
            if (answer[5]) throw new Error(answer[5][0].toString());
            const error = answer[201] && fields(answer[201][0])[2];
            if (error?.[0]?.length) throw new Error(error[0].toString());
        }
        return answers;
    };
    const bytes = fs.readFileSync(trace);
    for (let at = 0; at < bytes.length; at += AT_ONCE) {
        ask(APPEND, field(101, bytes.subarray(at, at + AT_ONCE)));
    }
    ask(FINALIZE, Buffer.alloc(0));
    const found = queries.map((query) => rows(ask(QUERY, field(103, field(1, Buffer.from(query))))));
    process.stdout.write(JSON.stringify(found) + "\n");
}

main().catch((error) => {
    process.stderr.write(`${error.stack}\n${said.slice(-20).join("\n")}\n`);
    process.exit(1);
});
