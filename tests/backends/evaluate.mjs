// Does the tasks of a job, JSON on stdin, and writes their results as JSON to stdout.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const UNTOUCHED = 7; // what a kernel does not write stays as it was
const typed = (numbers) => Float64Array.from(numbers);
const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);

const TASKS = {
    // Evaluate kernels, each with its own arguments.
    kernels({ system, KERNELS }, { calls }) {
        return calls.map(({ kernel, t, q, v, a, lam, w, size }) => {
            const out = new Float64Array(size).fill(UNTOUCHED);
            const state = [q, v, a, lam, w].map(typed);
            const status = KERNELS[kernel](t, ...state, system.p, system.tables.m, out);
            return { status, out };
        });
    },

    simulate({ simulate }, { span, options }) {
        const { t, q, v, outputs, energies, counters, success, message } = simulate(span, options);
        return { t, q, v, outputs, energies, counters, success, message };
    },

    // Change parameters and return what follows from them, or the message of the error.
    set({ system }, { changes }) {
        try {
            system.set(changes);
        } catch (error) {
            return { error: error.message };
        }
        const { p, q0, v0, parameters } = system;
        return { p: p.slice(), q0: q0.slice(), v0: v0.slice(), parameters };
    },

    // Factorise matrices of one pattern one after the other and solve with each.
    linear({ Factors }, { pointers, indices, matrices, rhs }) {
        const factors = new Factors(Int32Array.from(pointers), Int32Array.from(indices));
        return matrices.map((values) => {
            if (!factors.factorise(typed(values))) return null;
            const x = typed(rhs);
            factors.solve(x, x);
            return x;
        });
    },

    // Make the same steps again and again; return the processor time of each round in seconds.
    rounds({ system, Motion }, { method, h, steps, rounds }) {
        return Array.from({ length: rounds }, () => {
            const motion = new Motion(system, { method });
            const begun = process.cpuUsage();
            for (let k = 1; k <= steps; ++k) motion.step(h, k * h);
            const { user, system: kernel } = process.cpuUsage(begun);
            return 1e-6 * (user + kernel);
        });
    },

    // Change parameters before each step; return the velocities after it.
    sampled({ system, Motion }, { h, changes, options }) {
        const motion = new Motion(system, options);
        const found = changes.map((change) => {
            system.set(change);
            motion.step(h);
            return Array.from(motion.state.v);
        });
        system.set(changes[0]);
        return found;
    },

    // Make a step whose first half succeeds and whose second fails; return where the motion stands.
    unmade({ Motion, system, StepError }, { h, options }) {
        const motion = new Motion(system, options), { steps } = motion;
        const before = [motion.state.t, ...motion.state.q], made = steps.step.bind(steps);
        motion.steps = {
            step(state, part) {
                if (state.t + part > 0.6 * h) throw new StepError("Nothing there.");
                made(state, part);
            },
        };
        let message = "";
        try {
            motion.step(h);
        } catch (error) {
            message = error.message;
        }
        const after = [motion.state.t, ...motion.state.q];
        motion.steps = steps;
        motion.step(h);
        const again = new Motion(system, options);
        again.step(h);
        return { before, after, message, next: motion.state.q, expected: again.state.q };
    },

    series({ simulate }, { span, options, name }) {
        return simulate(span, options).series(name);
    },
};

const results = [];
for (const { task, module, ...rest } of JSON.parse(readFileSync(0, "utf-8"))) {
    const imported = await import(pathToFileURL(module).href);
    try {
        results.push(TASKS[task](imported, rest));
    } catch (error) {
        results.push({ thrown: `${error.name}: ${error.message}` });
    }
}
process.stdout.write(JSON.stringify(results, plain));
