#!/usr/bin/env python3
"""An HTTP server on the loopback, which behaves well or badly, as its paths say.

It serves on two addresses, 127.0.0.1 and 127.0.0.2, prints the port of each, and ends with its
standard input, so that it never outlives its test.

  /echo                 the request as JSON
  /status/N             status N, with a body
  /bytes/N              N bytes
  /chunks/N             N chunks of 1,000 bytes
  /drip/N/MS            N bytes, one each MS milliseconds
  /cut/N                announces N bytes, sends half of them, and closes
  /cut-chunks           sends one chunk, and closes without the last one
  /cut-header           closes within the header
  /drop                 closes without an answer
  /never/KEY            never answers
  /stall                sends a header and a part of a body, then nothing
  /huge                 a body without an end
  /bomb                 a gzip body of 64 MB in 280 KB
  /garbage              what is not HTTP
  /redirect/N           redirects N times, then to /echo
  /loop                 redirects to itself
  /to?url=URL           redirects there
  /flaky/KEY/N/STATUS   STATUS for the first N requests with this key, then 200
  /later/KEY/N/AFTER    the same with 503 and Retry-After: AFTER
  /droppy/KEY/N         closes without an answer for the first N requests, then 200
  /private/TOKEN        401 unless the request has the bearer token
  /count/KEY            how many requests had this key; /count/come/KEY: how many came that are never
                        answered; /count/left/KEY: how many of them were given up
"""
import gzip
import json
import os
import socketserver
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler

counts = {}
lock = threading.Lock()


def count(key):
    with lock:
        counts[key] = counts.get(key, 0) + 1
        return counts[key]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # A small answer goes out at once, and in one packet.
    disable_nagle_algorithm = True
    wbufsize = 65536

    def log_message(self, *arguments):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status >= 200 and status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status not in (204, 304):
            self.wfile.write(body)
        self.wfile.flush()

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while True:
                size = int(self.rfile.readline(), 16)
                parts.append(self.rfile.read(size))
                self.rfile.readline()
                if size == 0:
                    return b"".join(parts)
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def header(self, **fields):
        self.send_response(200)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.flush()

    def serve(self):
        path, _, query = self.path.partition("?")
        parts = path.split("/")[1:]
        body = self.body()
        method = getattr(self, "at_" + parts[0].replace("-", "_"), None)
        if method is None:
            return self.answer(404, b"no such path")
        method(parts[1:], query, body)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve

    def at_echo(self, parts, query, body):
        fields = {name.lower(): value for name, value in self.headers.items()}
        text = json.dumps({
            "method": self.command, "path": self.path, "headers": fields,
            "body": body.decode("latin-1"), "port": self.client_address[1]})
        self.answer(200, text.encode(), Content_Type="application/json")

    def at_status(self, parts, query, body):
        self.answer(int(parts[0]), b"body of " + parts[0].encode(), X_Extra="one")

    def at_bytes(self, parts, query, body):
        self.answer(200, b"x" * int(parts[0]))

    def at_chunks(self, parts, query, body):
        self.header(Transfer_Encoding="chunked")
        for _ in range(int(parts[0])):
            self.wfile.write(b"3e8\r\n" + b"c" * 1000 + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def at_drip(self, parts, query, body):
        self.header(Content_Length=parts[0])
        for _ in range(int(parts[0])):
            self.wfile.write(b"d")
            self.wfile.flush()
            time.sleep(int(parts[1]) / 1000)

    def at_cut(self, parts, query, body):
        self.header(Content_Length=parts[0])
        self.wfile.write(b"x" * (int(parts[0]) // 2))
        self.close()

    def at_cut_chunks(self, parts, query, body):
        self.header(Transfer_Encoding="chunked")
        self.wfile.write(b"3e8\r\n" + b"c" * 1000 + b"\r\n")
        self.close()

    def at_cut_header(self, parts, query, body):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Len")
        self.close()

    def at_drop(self, parts, query, body):
        self.close()

    def at_never(self, parts, query, body):
        count("come " + parts[0])
        self.wait()
        count("left " + parts[0])

    def at_stall(self, parts, query, body):
        self.header(Content_Length="100")
        self.wfile.write(b"x" * 10)
        self.wfile.flush()
        self.wait()

    def at_huge(self, parts, query, body):
        self.header(Connection="close")
        try:
            while True:
                self.wfile.write(b"h" * 65536)
                time.sleep(0.001)
        except OSError:
            self.close_connection = True

    def at_bomb(self, parts, query, body):
        self.answer(200, bomb(), Content_Encoding="gzip")

    def at_garbage(self, parts, query, body):
        self.wfile.write(b"\x00\x1b[31mnot HTTP at all\r\n\r\n")
        self.close()

    def at_redirect(self, parts, query, body):
        left = int(parts[0])
        self.answer(302, b"moved", Location="/redirect/%d" % (left - 1) if left else "/echo")

    def at_loop(self, parts, query, body):
        self.answer(302, Location="/loop")

    def at_to(self, parts, query, body):
        self.answer(302, Location=urllib.parse.unquote(query.partition("=")[2]))

    def at_flaky(self, parts, query, body):
        if count(parts[0]) <= int(parts[1]):
            return self.answer(int(parts[2]), b"not yet")
        self.answer(200, b"done")

    def at_later(self, parts, query, body):
        if count(parts[0]) <= int(parts[1]):
            return self.answer(503, b"later", Retry_After=urllib.parse.unquote(parts[2]))
        self.answer(200, b"done")

    def at_droppy(self, parts, query, body):
        if count(parts[0]) <= int(parts[1]):
            return self.close()
        self.answer(200, b"done")

    def at_private(self, parts, query, body):
        if self.headers.get("Authorization") == "Bearer " + parts[0]:
            return self.answer(200, b"secret")
        self.answer(401, b"who are you?", WWW_Authenticate='Bearer realm="test"')

    def at_count(self, parts, query, body):
        with lock:
            number = counts.get(" ".join(parts), 0)
        self.answer(200, str(number).encode())

    def close(self):
        self.wfile.flush()
        self.close_connection = True

    def wait(self):
        """Waits until the other side closes."""
        self.wfile.flush()
        self.rfile.read(1)
        self.close_connection = True

    def handle(self):
        try:
            super().handle()
        except (OSError, ValueError):
            pass


def bomb():
    with lock:
        if not bombs:
            bombs.append(gzip.compress(bytes(64_000_000), compresslevel=1))
        return bombs[0]


bombs = []


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request, client_address):
        pass


for address in "127.0.0.1", "127.0.0.2":
    server = Server((address, 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
sys.stdin.buffer.read()
os._exit(0)
