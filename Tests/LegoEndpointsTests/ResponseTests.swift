import Foundation
import LegoEndpoints
import LegoKit
import Testing

/// What becomes of responses, good and bad.
@Suite(.timeLimit(.minutes(5))) struct ResponseTests {
  @Test func `an answer has the type of its endpoint`() async throws {
    struct Raw: Endpoint {
      typealias Answer = EndpointResponse
      var path: EndpointPath { "/status/404" }
      var success: StatusCodes { [404] }
    }
    struct Bytes: Endpoint {
      typealias Answer = Data
      var path: EndpointPath { "/chunks/30" }
    }
    struct Nothing: Endpoint {
      typealias Answer = Void
      var path: EndpointPath { "/status/204" }
    }
    struct Head: Endpoint {
      typealias Answer = EndpointResponse
      var path: EndpointPath { "/bytes/1000000" }
      var method: HTTPMethod { .head }
      var limits: EndpointLimits? { EndpointLimits(bytes: 10) }
    }
    let endpoints = try Endpoints.local()
    let raw = try await endpoints.answer(to: Raw())
    #expect(raw.status == 404)
    #expect(raw.headers["x-EXTRA"] == "one")
    #expect(try await endpoints.answer(to: Bytes()).count == 30_000)
    try await endpoints.answer(to: Nothing())
    #expect(try await endpoints.answer(to: Head()).headers["Content-Length"] == "1000000")
    #expect(try await endpoints.answer(to: GetText("/bytes/5")) == "xxxxx")
  }

  @Test(arguments: [400, 401, 404, 418, 500, 503, 304, 302])
  func `another status is an error with what the server said`(status: Int) async throws {
    let error = try #require(await Endpoints.local().error(of: GetText("/status/\(status)")))
    #expect(error.code == .status)
    #expect(error.status == status)
    #expect(error.headers["X-Extra"] == "one")
    if status >= 400 { #expect(error.body == Data("body of \(status)".utf8)) }
    #expect(error.description.hasSuffix("/status/\(status): status \(status)"))
  }

  @Test func `the body of an error is cut`() async throws {
    struct Long: Endpoint {
      typealias Answer = Int
      var path: EndpointPath { "/bytes/200000" }
    }
    let error = try #require(await Endpoints.local().error(of: Long()))
    #expect(error.code == .notDecodable)
    #expect(error.body.count == EndpointError.bodyLimit)
  }

  @Test(arguments: [
    ("/cut/1000", EndpointError.Code.connectionLost), ("/cut-chunks", .connectionLost),
    ("/drop", .connectionLost), ("/garbage", .notHTTP),
  ])
  func `a server that closes midway is one clear error`(
    path: String, code: EndpointError.Code
  ) async throws {
    let endpoints = try Endpoints.local()
    for _ in 0..<3 {
      let error = await endpoints.error(of: GetText(EndpointPath(stringLiteral: path)))
      #expect(error?.code == code, "\(error?.description ?? "no error")")
    }
    #expect(try await endpoints.answer(to: GetText("/bytes/1")) == "x")
  }

  @Test func `a server that is not there is unreachable`() async {
    let gone = Endpoints(base: URL(string: "http://127.0.0.1:1"), retry: .never)
    #expect(await gone.error(of: GetText("/"))?.code == .unreachable)
    let unknown = Endpoints(base: URL(string: "http://nothing.invalid"), retry: .never)
    #expect(await unknown.error(of: GetText("/"))?.code == .unreachable)
  }

  @Test(arguments: ["/bytes/1001", "/chunks/2", "/huge", "/bomb"])
  func `a body has a largest size, also when it comes packed`(path: String) async throws {
    let endpoints = try Endpoints.local(limits: EndpointLimits(bytes: 1000))
    let error = await endpoints.error(of: GetText(EndpointPath(stringLiteral: path)))
    #expect(error?.code == .tooLarge)
    #expect(error?.status == 200)
    #expect((error?.body.count ?? 0) <= 1000)
    #expect(try await endpoints.answer(to: GetText("/bytes/1000")).utf8.count == 1000)
    await endpoints.close()
  }

  @Test func `a POST whose connection is lost was sent once`() async throws {
    let endpoints = try Endpoints.local(retry: .atOnce)
    _ = try await endpoints.answer(to: GetText("/bytes/1"))
    var post = GetText("/droppy/post/9")
    post.method = .post
    post.body = .text("money")
    #expect(await endpoints.error(of: post)?.code == .connectionLost)
    #expect(try await endpoints.answer(to: GetText("/count/post")) == "1")
  }

  @Test func `progress is told in order, and the last value is everything`() async throws {
    let endpoints = try Endpoints.local()
    let told = Collected<EndpointProgress>()
    _ = try await endpoints.answer(to: GetText("/bytes/3000000")) { told.append($0) }
    #expect(told.values.last == EndpointProgress(.received, bytes: 3_000_000, total: 3_000_000))
    #expect(told.values.map(\.bytes) == told.values.map(\.bytes).sorted())

    let drip = Collected<EndpointProgress>()
    _ = try await endpoints.answer(to: GetText("/drip/20/5")) { drip.append($0) }
    #expect(drip.values.last == EndpointProgress(.received, bytes: 20, total: 20))

    let sent = Collected<EndpointProgress>()
    var post = GetText("/never/progress")
    post.method = .put
    post.body = .data(Data(count: 2_000_000))
    let call = Task { [post] in await endpoints.error(of: post) { sent.append($0) } }
    while sent.values.last?.bytes != 2_000_000 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(sent.values.allSatisfy { $0.direction == .sent && $0.total == 2_000_000 })
    call.cancel()
    #expect(await call.value?.code == .cancelled)
  }

  @Test func `a log shows each response without secrets`() async throws {
    let lines = Collected<String>()
    let endpoints = try Endpoints.local(
      authentication: .bearer("hush"), log: LogSink { lines.append($0) })
    var endpoint = GetText("/redirect/0")
    endpoint.query = ["key": "hush"]
    _ = try await endpoints.answer(to: endpoint)
    let base = try LocalServer.shared.get().base.absoluteString
    #expect(lines.values.count == 2)
    #expect(lines.values.first == "GET \(base)/redirect/0: status 302, 5 bytes")
    #expect(!lines.values.joined().contains("hush"))
  }
}
