/* SPDX-License-Identifier: MIT */
/*
 * Pages opened from files may start no worker, and the search of the site runs in one. This gives it a frame in the same page
 * instead, which has what the search uses of a worker: importScripts, onmessage and postMessage.
 */
if (location.protocol === "file:") {
	window.Worker = class extends EventTarget {
		constructor(url) {
			super();
			const base = new URL(url, location.href).href;
			const frame = document.createElement("iframe");
			frame.hidden = true;
			document.body.append(frame);
			const inside = frame.contentWindow;
			const load = (address) => new Promise((done, failed) => {
				const script = inside.document.createElement("script");
				Object.assign(script, { src: new URL(address, base).href, onload: done, onerror: failed });
				inside.document.documentElement.append(script);
			});
			inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
			inside.importScripts = (...addresses) =>
				addresses.reduce((before, address) => before.then(() => load(address)), Promise.resolve());
			this.inside = inside;
			this.ready = load(base);
		}
		postMessage(data) {
			this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
		}
		terminate() {}
	};
}
