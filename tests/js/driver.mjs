// SPDX-License-Identifier: MIT
// Chromium without a window, by the WebDriver protocol of chromedriver: HTTP and JSON. $CHROMIUM and $CHROMEDRIVER name the programs.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const first = (...names) => names.find((each) => each && fs.existsSync(each));
export const chromium = first(process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser');
export const chromedriver = first(process.env.CHROMEDRIVER, '/usr/bin/chromedriver');

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export class Browser {
	static async begin() {
		const browser = new Browser();
		browser.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'danatext-'));
		browser.driver = spawn(chromedriver, ['--port=0'], { stdio: ['ignore', 'pipe', 'ignore'] });
		const port = await new Promise((go, fail) => {
			let said = '';
			browser.driver.stdout.on('data', (text) => {
				const found = /started successfully on port (\d+)/.exec((said += text));
				if (found) go(found[1]);
			});
			browser.driver.on('exit', () => fail(new Error(`chromedriver has ended: ${said}`)));
		});
		browser.base = `http://127.0.0.1:${port}/session`;
		const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-sync', '--disable-background-networking',
			'--disable-component-update', '--enable-precise-memory-info', '--js-flags=--expose-gc', '--window-size=1400,1000', `--user-data-dir=${browser.folder}/profile`];
		const wanted = { browserName: 'chrome', 'goog:chromeOptions': { binary: chromium, args }, 'goog:loggingPrefs': { performance: 'ALL', browser: 'ALL' } };
		const { sessionId } = await browser.call('POST', '', { capabilities: { alwaysMatch: wanted } }).catch((error) => {
			browser.driver.kill();
			throw error;
		});
		browser.base += `/${sessionId}`;
		await browser.call('POST', '/timeouts', { script: 600_000, pageLoad: 60_000 });
		return browser;
	}

	async call(method, where, body) {
		const response = await fetch(this.base + where, { method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } });
		const { value } = await response.json();
		if (!response.ok) throw new Error(`${where}: ${value.message.split('\n')[0]}`);
		return value;
	}

	open = (url) => this.call('POST', '/url', { url });
	run = (script, ...args) => this.call('POST', '/execute/sync', { script, args });
	/** A command of Chromium's own protocol. */
	tell = (cmd, params = {}) => this.call('POST', '/goog/cdp/execute', { cmd, params });
	find = async (selector) => (await this.call('POST', '/element', { using: 'css selector', value: selector }))[ELEMENT];
	all = async (selector) => (await this.call('POST', '/elements', { using: 'css selector', value: selector })).map((each) => each[ELEMENT]);
	click = async (selector) => this.call('POST', `/element/${await this.find(selector)}/click`, {});
	type = async (selector, text) => this.call('POST', `/element/${await this.find(selector)}/value`, { text });
	label = (element) => this.call('GET', `/element/${element}/computedlabel`);
	role = (element) => this.call('GET', `/element/${element}/computedrole`);
	size = (width, height = 1000) => this.tell('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
	prefer = (value) => this.tell('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });

	keys(...keys) {
		const actions = keys.flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]);
		return this.call('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] });
	}

	/** The messages of a log since the last call: "browser" or "performance". */
	log = (type) => this.call('POST', '/se/log', { type });

	/** Waits until a script returns something true, and returns it. */
	async until(script, seconds = 20) {
		for (const end = Date.now() + 1000 * seconds; ;) {
			const value = await this.run(script);
			if (value) return value;
			if (Date.now() > end) throw new Error(`not in ${seconds} seconds: ${script}`);
			await new Promise((go) => setTimeout(go, 50));
		}
	}

	async end() {
		await this.call('DELETE', '').catch(() => {});
		const ended = new Promise((go) => this.driver.on('exit', go));
		this.driver.kill();
		await ended;
		fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
	}
}
