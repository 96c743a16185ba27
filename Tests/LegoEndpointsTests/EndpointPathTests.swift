import Foundation
import LegoEndpoints
import Testing

@Suite struct EndpointPathTests {
  @Test(arguments: [
    ("a b", "/x/a%20b/y"), ("a/b", "/x/a%2Fb/y"), ("ä", "/x/%C3%A4/y"), ("?#%", "/x/%3F%23%25/y"),
    ("..a", "/x/..a/y"), ("a-._~", "/x/a-._~/y"), ("\r\n", "/x/%0D%0A/y"),
    ("+&=", "/x/%2B%26%3D/y"),
  ])
  func `a value in a path is one segment`(value: String, path: String) {
    let made: EndpointPath = "/x/\(value)/y"
    #expect(made.encoded == path)
  }

  @Test func `the text of a path is encoded where that is needed`() {
    let path: EndpointPath = "a b/c+d?e%20"
    #expect(path.encoded == "/a%20b/c+d%3Fe%2520")
    #expect(EndpointPath(stringLiteral: "").encoded == "")
  }

  @Test(arguments: ["", ".", ".."])
  func `a value that would lead elsewhere is refused`(value: String) async {
    let endpoints = Endpoints(stubs: EndpointStubs())
    let error = await endpoints.error(of: GetText("/x/\(value)/y"))
    #expect(error?.code == .invalidRequest)
    #expect(await endpoints.error(of: GetText("/a/../b"))?.code == .invalidRequest)
  }

  @Test(arguments: [
    "ftp://host", "http:///x", "http://user:pw@host", "http://host?x=1", "http://host#x", "host",
    "http://user@host",
  ])
  func `a base that is not one is refused`(base: String) async throws {
    let url = try #require(URL(string: base))
    let error = await Endpoints(stubs: EndpointStubs(), base: url).error(of: GetText("/x"))
    #expect(error?.code == .invalidRequest)
    #expect(await Endpoints().error(of: GetText("/x"))?.code == .invalidRequest)
  }

  @Test func `paths are below the base`() async throws {
    let stubs = EndpointStubs()
    stubs.on(GetText.self) { _ in .response() }
    for base in ["https://host/v1", "https://host/v1/"] {
      let endpoints = Endpoints(stubs: stubs, base: URL(string: base))
      _ = try await endpoints.answer(to: GetText("/x"))
      _ = try await endpoints.answer(to: GetText("x"))
    }
    #expect(Set(stubs.sent.map(\.url.absoluteString)) == ["https://host/v1/x"])
  }
}
