import Foundation
import LegoEndpoints
import Testing

/// What arrives at a server.
@Suite(.timeLimit(.minutes(5))) struct RequestTests {
  private struct Order: Codable, Equatable, Sendable { var name = "tea", count = 2 }

  @Test func `a query arrives as it was meant`() async throws {
    let items: QueryItems = ["q": "a b+c&d=é/?", "none": nil, "q": "2", "empty": ""]
    let echo = try await Endpoints.local().answer(to: GetEcho(query: items))
    #expect(echo.path == "/echo?q=a%20b%2Bc%26d%3D%C3%A9%2F%3F&q=2&empty=")
    var parts = URLComponents()
    parts.percentEncodedQuery = echo.path.split(separator: "?").last.map(String.init)
    #expect(parts.queryItems?.first?.value == "a b+c&d=é/?")
  }

  @Test func `fields of the endpoint replace those of the client`() async throws {
    let endpoints = try Endpoints.local(headers: ["X-One": "1", "Accept": "text/plain"])
    let echo = try await endpoints.answer(to: GetEcho(headers: ["x-one": "2", "X-Two": "3"]))
    #expect(echo.headers["x-one"] == "2")
    #expect(echo.headers["x-two"] == "3")
    #expect(echo.headers["accept"] == "text/plain")
    #expect(echo.headers["cookie"] == nil)
  }

  @Test(arguments: [
    "POST", "PUT", "PATCH", "DELETE",
  ])
  func `bodies arrive whole, with their type`(method: String) async throws {
    let endpoints = try Endpoints.local()
    func echo(_ body: EndpointBody) async throws -> (type: String?, body: String) {
      let echo = try await endpoints.answer(
        to: GetEcho(method: HTTPMethod(method), body: body))
      #expect(echo.method == method)
      return (echo.headers["content-type"], echo.body)
    }
    let json = try await echo(.json(Order()))
    #expect(json.type == "application/json")
    #expect(try JSONDecoder().decode(Order.self, from: Data(json.body.utf8)) == Order())
    #expect(try await echo(.form(["a b": "c+d", "ü": "&"])).body == "a+b=c%2Bd&%C3%BC=%26")
    #expect(try await echo(.text("hi")) == ("text/plain; charset=utf-8", "hi"))
    let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    let raw = try await echo(.data(bytes, type: "x/y"))
    #expect(raw.type == "x/y")
    #expect(raw.body.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } == Array(bytes))
    #expect(try await echo(.none).body == "")
    #expect(try await echo(.data(Data())).body == "")
  }

  @Test func `a part of a form cannot leave its place`() async throws {
    let body = EndpointBody.multipart([
      MultipartPart("na\"me\r\nX: y", "v1"),
      MultipartPart("file", data: Data("v2".utf8), file: "a\"b.txt", type: "text/plain\r\nX: y"),
    ])
    let echo = try await Endpoints.local().answer(to: GetEcho(method: .post, body: body))
    let type = try #require(echo.headers["content-type"])
    let boundary = try #require(type.split(separator: "boundary=").last)
    #expect(
      echo.body == """
        --\(boundary)\r
        Content-Disposition: form-data; name="na%22me%0D%0AX: y"\r
        \r
        v1\r
        --\(boundary)\r
        Content-Disposition: form-data; name="file"; filename="a%22b.txt"\r
        Content-Type: text/plainX: y\r
        \r
        v2\r
        --\(boundary)--\r

        """)
  }

  @Test(arguments: [
    ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\0b"), ("X A", "b"), ("", "b"), ("X:", "b"),
    ("Content-Length", "3"), ("transfer-encoding", "chunked"), ("Host", "other"),
    ("Connection", "close"), ("X-A\r\nX-B", "b"),
  ])
  func `a field that could become another one is refused`(name: String, value: String) async {
    var headers = HTTPHeaders()
    headers[name] = value
    let stubs = EndpointStubs()
    let error = await Endpoints(stubs: stubs).error(of: GetEcho(headers: headers))
    #expect(error?.code == .invalidRequest)
    #expect(stubs.sent.isEmpty)
  }

  @Test func `a request that cannot be is refused`() async {
    let endpoints = Endpoints(stubs: EndpointStubs())
    let withBody = GetEcho(body: .text("x"))
    #expect(await endpoints.error(of: withBody)?.code == .invalidRequest)
    let oddMethod = GetEcho(method: HTTPMethod("GET /x"))
    #expect(await endpoints.error(of: oddMethod)?.code == .invalidRequest)
    let notJSON = GetEcho(method: .post, body: .json(Double.nan))
    #expect(await endpoints.error(of: notJSON)?.code == .invalidRequest)
    let long = String(repeating: "x", count: 70_000)
    #expect(await endpoints.error(of: GetText("/\(long)"))?.code == .invalidRequest)
    let colon = Endpoints(
      stubs: EndpointStubs(), authentication: .basic(user: "a:b", password: "c"))
    #expect(await colon.error(of: GetEcho())?.code == .invalidRequest)
    // A mark that follows makes one character with the colon.
    let marked = Endpoints(
      stubs: EndpointStubs(), authentication: .basic(user: "a:\u{301}b", password: "c"))
    #expect(await marked.error(of: GetEcho())?.code == .invalidRequest)
  }

  @Test func `requests share a connection unless sending them twice would do harm`() async throws {
    let endpoints = try Endpoints.local()
    var ports: [Int] = []
    for _ in 0..<3 { ports.append(try await endpoints.answer(to: GetEcho()).port) }
    #expect(Set(ports).count == 1)
    for _ in 0..<3 { ports.append(try await endpoints.answer(to: GetEcho(method: .post)).port) }
    #expect(Set(ports).count == 4)
    await endpoints.close()
  }
}
