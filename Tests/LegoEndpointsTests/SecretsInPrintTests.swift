import Foundation
import LegoEndpoints
import Testing

/// What is printed holds no secrets and no control characters.
@Suite struct SecretsInPrintTests {
  private func printed(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return "\(value) \(String(reflecting: value)) \(dumped)"
  }

  @Test(arguments: ["Authorization", "cookie", "Set-Cookie", "X-Api-Key", "x-csrf-token"])
  func `fields that may be secret are not printed`(name: String) {
    var headers: HTTPHeaders = ["X-Plain": "open\u{1B}[31m"]
    headers[name] = "hush"
    let text = printed(headers) + printed(["in": headers])
    #expect(!text.contains("hush"))
    #expect(!text.contains("\u{1B}"))
    #expect(text.contains("open"))
    #expect(headers[name.uppercased()] == "hush")
  }

  @Test func `authentication, queries and bodies are not printed`() {
    let values: [Any] = [
      EndpointAuthentication.bearer("hush"), EndpointAuthentication.bearer { _ in "hush" },
      EndpointAuthentication.basic(user: "u", password: "hush"), ["q": "hush"] as QueryItems,
      EndpointBody.text("hush"),
    ]
    for value in values {
      #expect(!printed(value).contains("hush"))
      #expect(!printed([value]).contains("aHVz"))
    }
  }

  @Test func `a query is one that begins with a mark, too`() {
    let headers: HTTPHeaders = ["Location": "https://a/b?\u{301}x=hidden"]
    #expect(headers.description == "Location: https://a/b…")
  }

  @Test func `an error is one line without secrets`() async throws {
    let stubs = EndpointStubs()
    stubs.on(GetText.self) { _ in
      .response(
        status: 500,
        headers: ["Set-Cookie": "hush", "Location": "/x?code=hush", "X": "\u{7}\nhi"],
        body: Data("hush".utf8))
    }
    let endpoints = Endpoints(stubs: stubs, authentication: .bearer("hush"), retry: .never)
    var endpoint = GetText("/a\u{1B}b")
    endpoint.query = ["token": "hush"]
    let error = try #require(await endpoints.error(of: endpoint))
    let text = printed(error)
    #expect(!text.contains("hush"))
    #expect(error.description == "GET https://stub.invalid/a%1Bb: status 500")
    #expect(!text.contains("\u{7}"))
    #expect(String(decoding: error.body, as: UTF8.self) == "hush")
    let sent = try #require(stubs.sent.first)
    #expect(sent.url.query == "token=hush")
    #expect(!sent.description.contains("hush"))
  }

  @Test func `an answer that cannot be read says where, and not what`() async throws {
    struct Inner: Decodable, Sendable { var number: Int }
    struct Outer: Decodable, Sendable { var items: [Inner] }
    struct Get: Endpoint {
      typealias Answer = Outer
      var path: EndpointPath { "/" }
    }
    let stubs = EndpointStubs()
    func reason(_ body: String) async -> String? {
      stubs.on(Get.self) { _ in .response(body: Data(body.utf8)) }
      let error = await Endpoints(stubs: stubs).error(of: Get())
      return error?.reason
    }
    #expect(
      await reason(#"{"items":[{"number":1},{"number":"hush"}]}"#)
        == "cannot decode Outer: wrong type at items.1.number")
    #expect(await reason(#"{"items":[{}]}"#) == "cannot decode Outer: no number at items.0")
    #expect(await reason("hush") == "cannot decode Outer: invalid data")
    let utf8 = EndpointStubs()
    utf8.on(GetText.self) { _ in .response(body: Data([0xC0])) }
    let text = await Endpoints(stubs: utf8).error(of: GetText("/"))
    #expect(text?.reason == "cannot decode String: the body is not UTF-8")
  }
}
