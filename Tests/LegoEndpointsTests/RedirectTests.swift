import Foundation
import LegoEndpoints
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedirectTests {
  @Test func `redirects are followed, up to the limit`() async throws {
    let endpoints = try Endpoints.local(limits: EndpointLimits(redirects: 3))
    #expect(try await endpoints.answer(to: GetEcho(path: "/redirect/2")).path == "/echo")
    for path: EndpointPath in ["/redirect/3", "/loop"] {
      let error = await endpoints.error(of: GetText(path))
      #expect(error?.code == .redirect)
      #expect(error?.status == 302)
    }
    let never = try Endpoints.local(limits: EndpointLimits(redirects: 0))
    #expect(await never.error(of: GetText("/redirect/0"))?.code == .redirect)
  }

  @Test(arguments: [
    (301, "POST", "GET", ""), (302, "POST", "GET", ""), (303, "PUT", "GET", ""),
    (307, "POST", "POST", "body"), (308, "PUT", "PUT", "body"), (302, "PUT", "PUT", "body"),
    (303, "GET", "GET", nil), (307, "DELETE", "DELETE", "body"),
  ])
  func `the status says what is sent again`(
    status: Int, method: String, next: String, body: String?
  ) async throws {
    let stubs = EndpointStubs()
    stubs.on(
      GetText.self, inTurn: .response(status: status, headers: ["Location": "/there?x=1#y"]),
      .response())
    var endpoint = GetText("/here")
    endpoint.method = HTTPMethod(method)
    if body != nil { endpoint.body = .text("body") }
    _ = try await Endpoints(stubs: stubs).answer(to: endpoint)
    let last = try #require(stubs.sent.last)
    #expect(stubs.sent.count == 2)
    #expect(last.method.name == next)
    #expect(last.url.path == "/there")
    #expect(last.body.map { String(decoding: $0, as: UTF8.self) } ?? "" == body ?? "")
    #expect((last.headers["Content-Type"] == nil) == (last.body == nil))
  }

  @Test func `what may be secret stays with its server`() async throws {
    let other = try LocalServer.shared.get().otherBase.absoluteString
    let base = try LocalServer.shared.get().base.absoluteString
    let endpoints = try Endpoints.local(
      headers: ["X-Api-Key": "k", "X-Plain": "p"], authentication: .bearer("hush"))
    let near = try await endpoints.answer(to: GetEcho(headers: ["Cookie": "c"]))
    #expect(near.headers["authorization"] == "Bearer hush")
    #expect(near.headers["cookie"] == "c")

    struct Away: Endpoint {
      typealias Answer = Echo
      var location: String
      var path: EndpointPath { "/to" }
      var query: QueryItems { ["url": location] }
      var headers: HTTPHeaders { ["Cookie": "c"] }
    }
    // There, and back again.
    let back = "\(other)/to?url=\(base)/echo"
    for target in ["\(other)/echo", back] {
      let far = try await endpoints.answer(to: Away(location: target))
      #expect(far.headers["authorization"] == nil)
      #expect(far.headers["cookie"] == nil)
      #expect(far.headers["x-api-key"] == nil)
      #expect(far.headers["x-plain"] == "p")
    }
  }

  @Test func `an endpoint with another base gets no authentication`() async throws {
    let endpoints = try Endpoints.local(authentication: .bearer("hush"))
    let other = try LocalServer.shared.get().otherBase
    #expect(try await endpoints.answer(to: GetEcho(base: other)).headers["authorization"] == nil)
    let same = try LocalServer.shared.get().base.appending(path: "x").deletingLastPathComponent()
    let echo = try await endpoints.answer(to: GetEcho(base: same))
    #expect(echo.headers["authorization"] == "Bearer hush")
  }

  @Test(arguments: [
    ("https://stub.invalid/x", "http://stub.invalid/y"), ("https://a/x", "ftp://a/y"),
    ("https://a/x", "https://user:pw@a/y"), ("https://a/x", "javascript:alert(1)"),
    ("https://a/x", "https:///y"), ("https://a/x", "http://a/y"), ("https://a", "//["),
  ])
  func `a redirect that could do harm is an error`(base: String, location: String) async {
    let stubs = EndpointStubs()
    stubs.on(GetText.self) { _ in .response(status: 302, headers: ["Location": location]) }
    let error = await Endpoints(stubs: stubs, base: URL(string: base)).error(of: GetText("/z"))
    #expect(error?.code == .redirect)
    #expect(stubs.sent.count == 1)
  }

  @Test func `no body goes to another server`() async {
    let stubs = EndpointStubs()
    stubs.on(GetText.self) { _ in .response(status: 307, headers: ["Location": "https://b/x"]) }
    var endpoint = GetText("/x")
    endpoint.method = .post
    endpoint.body = .form(["password": "hush"])
    let error = await Endpoints(stubs: stubs, base: URL(string: "https://a")).error(of: endpoint)
    #expect(error?.code == .redirect)
    #expect(stubs.sent.count == 1)
  }
}
