#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""serve_client.py URL PAGE...: makes a client of the description at URL/openapi.json, as generators of clients do, and
calls every operation with it: each parameter, each format of a body and of a response. What the description does not
allow for is a fault: exit status 1 with a message. It is also checked as OpenAPI 3.1 if openapi_spec_validator is
installed."""
import base64, json, sys, urllib.error, urllib.parse, urllib.request

URL, FILES = sys.argv[1].rstrip("/"), sys.argv[2:]
PAGE = open(FILES[0], encoding="utf-8").read()
SPEC = json.load(urllib.request.urlopen(URL + "/openapi.json"))
EXAMPLES = {"url": "https://example.org/a", "charset": "utf-8", "plugin": "", "method": "learned", "text": "plain",
            "markdown": "links=0", "text-field": "plain", "exclude": "nav", "only": "body", "recall": 60,
            "rules": "example.org\texclude\tnav", "kind": "article", "min-chars": "1", "status": "200",
            "mime": "text/html", "type": "response", "warc-version": "1.1", "source": "a", "schema": "dana",
            "compress": "none", "format": "jsonl", "fields": "url,text", "comments": "drop", "tables": "keep", "dropped": "1"}


def resolve(node):
    while "$ref" in node:
        at = SPEC
        for part in node["$ref"].removeprefix("#/").split("/"):
            at = at[part]
        node = at
    return node


def check_references(node):
    if isinstance(node, dict):
        if "$ref" in node:
            resolve(node)
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            check_references(item)


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.body, self.type = status, body, headers.get_content_type()


class Operation:
    def __init__(self, path, method, node):
        self.path, self.method, self.node = path, method, node
        self.parameters = {p["name"]: p for p in map(resolve, node["parameters"])}
        self.takes = list(node.get("requestBody", {}).get("content", {}))
        self.gives = list(node["responses"]["200"]["content"])

    def __call__(self, body=None, body_type=None, accept=None, **query):
        for name in query:
            assert name in self.parameters, name
        text = urllib.parse.urlencode(query)
        request = urllib.request.Request(URL + self.path + ("?" + text if text else ""), method=self.method.upper(),
                                         data=body)
        if body_type:
            request.add_header("Content-Type", body_type)
        if accept:
            request.add_header("Accept", accept)
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            answer = error
        reply = Reply(answer.status, answer.headers, answer.read())
        allowed = resolve(self.node["responses"][str(reply.status)])["content"]
        assert reply.type in allowed, (self.path, reply.status, reply.type)
        if reply.type == "application/json":
            fits(json.loads(reply.body), resolve(allowed[reply.type]["schema"]))
        return reply


def fits(value, schema):
    """Whether a value is what a schema of the description says; of JSON Schema what the description uses."""
    schema = resolve(schema)
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
             "null": type(None)}
    assert not types or any(isinstance(value, kinds[t]) for t in types), (value, schema)
    if isinstance(value, dict):
        for name in schema.get("required", []):
            assert name in value, name
        for name, member in value.items():
            if name in schema.get("properties", {}):
                fits(member, schema["properties"][name])


try:
    import openapi_spec_validator
    openapi_spec_validator.validate(SPEC)
except ImportError:
    print("openapi_spec_validator is not installed: references alone are checked", file=sys.stderr)
assert SPEC["openapi"].startswith("3.1.") and SPEC["info"]["version"]
check_references(SPEC)
client = {node["operationId"]: Operation(path, method, node)
          for path, item in SPEC["paths"].items() for method, node in item.items()}

extract, html = client["extract"], PAGE.encode()
assert extract(html, "text/html").status == 200
for accept in extract.gives:
    reply = extract(html, "text/html", accept)
    assert reply.status == 200 and (reply.type == accept or accept == "application/jsonl"), (accept, reply.type)
members = resolve({"$ref": "#/components/schemas/Page"})["properties"]
calls = 0
for name, parameter in extract.parameters.items():
    words = parameter["schema"].get("enum") or [EXAMPLES.get(name)]
    kind = members[name]
    for word in words:
        more = {"text": "markdown"} if name == "markdown" else {"text": "blocks"} if name == "dropped" else {}
        as_json = word == "1" if kind["type"] == "boolean" else word
        by_query = extract(html, "text/html", "application/json", **{name: word}, **more)
        by_json = extract(json.dumps({"html_base64": base64.b64encode(html).decode(), name: as_json, **more}).encode(),
                          "application/json", "application/json")
        assert by_query.status == 200, (name, word, by_query.body)
        assert by_query.body == by_json.body, (name, word, by_query.body[:200], by_json.body[:200])
        calls += 2
assert set(members) - {"html", "html_base64"} == set(extract.parameters)
lines = "".join(json.dumps({"html": open(f, encoding="utf-8").read(), "file": f}) + "\n" for f in FILES)
reply = extract(lines.encode(), "application/jsonl")
assert [json.loads(line)["metadata"]["file"] for line in reply.body.splitlines()] == FILES
assert extract(b"\x89PNG\r\n\x1a\n" + bytes(600), "text/html").status == 415
assert extract(b'{"htm":""}', "application/json").status == 400
assert client["describe"]().status == client["form"]().status == client["health"]().status == client["metrics"]().status == 200
assert client["explain"](html, "text/html").status == 200
for name in client["filter"].parameters:
    word = client["filter"].parameters[name]["schema"].get("enum", [EXAMPLES.get(name, "0")])[0]
    more = {"text": "markdown"} if name == "markdown" else {"text": "blocks"} if name == "dropped" else {}
    more |= {"schema": "dolma"} if name == "source" else {}
    reply = client["filter"](b"", "application/warc", **{name: word}, **more)
    assert reply.status == 200, (name, word, reply.body)
if "extractUrl" in client:
    assert client["extractUrl"].parameters["url"]["required"]
    assert client["extractUrl"](url="http://127.0.0.1/").status == 403
    assert client["extractUrl"](url="file:///etc/passwd").status == 400
print(f"{len(client)} operations, {calls} calls with parameters")
