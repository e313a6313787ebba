# SPDX-License-Identifier: Apache-2.0
"""An HTTP/3 client on one connection: all requests at once, answers in order.

Standard input: a JSON list of {"method", "path", "headers": [[name, value]...], "body", "trailers": [[name, value]...]};
bodies are Base64. Standard output: a list of {"status", "headers", "body", "trailers", "complete"}; "complete" is false
when the stream was reset. Arguments: port, server name, file with the certificate to trust.
"""

import asyncio
import base64
import json
import sys

from aioquic.asyncio.client import connect
from aioquic.asyncio.protocol import QuicConnectionProtocol
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ConnectionTerminated, StreamReset

LIMIT_SECONDS = 60


class Exchange:
    """What has come of one answer."""

    def __init__(self):
        self.headers = []
        self.body = bytearray()
        self.trailers = []
        self.ended = asyncio.get_running_loop().create_future()

    def take(self, event):
        """Notes what an event of HTTP/3 brings."""
        if isinstance(event, HeadersReceived):
            fields = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in event.headers]
            (self.trailers if self.headers else self.headers).extend(fields)
        else:
            self.body += event.data
        if event.stream_ended:
            self.end(True)

    def end(self, complete):
        """Nothing more comes."""
        if not self.ended.done():
            self.ended.set_result(complete)

    async def answer(self):
        """The whole answer, as plain data."""
        complete = await asyncio.wait_for(self.ended, LIMIT_SECONDS)
        fields = [pair for pair in self.headers if not pair[0].startswith(":")]
        return {"status": int(dict(self.headers).get(":status", 0)), "headers": fields, "complete": complete,
                "body": base64.b64encode(self.body).decode(), "trailers": self.trailers}


class Client(QuicConnectionProtocol):
    """HTTP/3 over one QUIC connection."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http = H3Connection(self._quic)
        self.exchanges = {}

    def quic_event_received(self, event):
        """What the connection says; most of it is for HTTP/3."""
        if isinstance(event, StreamReset) and event.stream_id in self.exchanges:
            self.exchanges[event.stream_id].end(False)
        elif isinstance(event, ConnectionTerminated):
            for exchange in self.exchanges.values():
                exchange.end(False)
        for part in self.http.handle_event(event):
            if isinstance(part, (HeadersReceived, DataReceived)) and part.stream_id in self.exchanges:
                self.exchanges[part.stream_id].take(part)

    def send(self, request, authority):
        """Sends a request whole; bytes leave as the windows allow."""
        stream = self._quic.get_next_available_stream_id()
        exchange = self.exchanges[stream] = Exchange()
        head = [(":method", request["method"]), (":scheme", "https"), (":authority", authority),
                (":path", request["path"]), *request["headers"]]
        body, trailers = base64.b64decode(request["body"]), request["trailers"]
        self.http.send_headers(stream, encoded(head), end_stream=not body and not trailers)
        if body:
            self.http.send_data(stream, body, end_stream=not trailers)
        if trailers:
            self.http.send_headers(stream, encoded(trailers), end_stream=True)
        self.transmit()
        return exchange


def encoded(fields):
    """Fields as bytes."""
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]


async def main(port, name, trusted):
    """Connects, sends everything, prints the answers."""
    configuration = QuicConfiguration(is_client=True, alpn_protocols=H3_ALPN, server_name=name)
    configuration.load_verify_locations(trusted)
    requests = json.load(sys.stdin)
    async with connect("127.0.0.1", port, configuration=configuration, create_protocol=Client) as client:
        exchanges = [client.send(request, f"{name}:{port}") for request in requests]
        print(json.dumps([await exchange.answer() for exchange in exchanges]))


asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3]))
