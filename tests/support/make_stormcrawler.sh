#!/bin/sh
# SPDX-License-Identifier: MIT
# make_stormcrawler.sh FOLDER: Java sources in FOLDER, with what of StormCrawler and Jackson examples/DanaParseFilter.java uses, and Driver, which
# calls the filter as a bolt does. The signatures are those of StormCrawler 3; none of its code is here.
set -eu
cd "$1"
mkdir -p org/apache/stormcrawler/parse com/fasterxml/jackson/databind
cat >com/fasterxml/jackson/databind/JsonNode.java <<'END'
package com.fasterxml.jackson.databind;

public class JsonNode {
    private final String text;

    public JsonNode(String text) {
        this.text = text;
    }

    public JsonNode get(String name) {
        return name.equals("address") ? this : null;
    }

    public String asText() {
        return text;
    }
}
END
cat >org/apache/stormcrawler/parse/ParseFilter.java <<'END'
package org.apache.stormcrawler.parse;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.w3c.dom.DocumentFragment;

public abstract class ParseFilter {
    public abstract void filter(String url, byte[] content, DocumentFragment doc, ParseResult parse);

    public abstract void configure(Map<String, Object> stormConf, JsonNode filterParams);

    public boolean needsDOM() {
        return false;
    }
}
END
cat >org/apache/stormcrawler/parse/ParseData.java <<'END'
package org.apache.stormcrawler.parse;

import java.util.HashMap;
import java.util.Map;

public class ParseData {
    private String text = "what was there before";
    private final Map<String, String> metadata = new HashMap<>();

    public String getText() {
        return text;
    }

    public void setText(String text) {
        this.text = text;
    }

    public void put(String key, String value) {
        metadata.put(key, value);
    }

    public String get(String key) {
        return metadata.get(key);
    }
}
END
cat >org/apache/stormcrawler/parse/ParseResult.java <<'END'
package org.apache.stormcrawler.parse;

import java.util.HashMap;
import java.util.Map;

public class ParseResult {
    private final Map<String, ParseData> parses = new HashMap<>();

    public ParseData get(String url) {
        return parses.computeIfAbsent(url, key -> new ParseData());
    }
}
END
cat >Driver.java <<'END'
import com.fasterxml.jackson.databind.JsonNode;
import dana.DanaParseFilter;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.HashMap;
import org.apache.stormcrawler.parse.ParseFilter;
import org.apache.stormcrawler.parse.ParseResult;

/** Driver ADDRESS FOLDER FILE...: the text of each FILE goes to FOLDER, under the same name; prints the statuses. */
public class Driver {
    public static void main(String[] args) throws Exception {
        ParseFilter filter = new DanaParseFilter();
        filter.configure(new HashMap<>(), new JsonNode(args[0]));
        for (int i = 2; i < args.length; i++) {
            String url = "http://site.example/" + i + "?a=b c";
            ParseResult parse = new ParseResult();
            filter.filter(url, Files.readAllBytes(Paths.get(args[i])), null, parse);
            String name = Paths.get(args[i]).getFileName().toString();
            Files.write(Paths.get(args[1], name), parse.get(url).getText().getBytes("UTF-8"));
            System.out.println(name + " " + parse.get(url).get("dana.status"));
        }
    }
}
END
