import Foundation
import LegoEndpoints
import Testing

/// Faults of Foundation that the library cannot work around, as its documentation says.
///
/// When a new version of Swift has mended one, its test fails, and the documentation is to be
/// changed.
@Suite(.timeLimit(.minutes(5))) struct FoundationFaultTests {
  private static func sends(_ path: EndpointPath, _ query: QueryItems = [:]) async throws {
    let server = try LocalServer()
    defer { server.stop() }
    var endpoint = GetText(path)
    endpoint.query = query
    let endpoints = Endpoints(base: server.base, retry: .never)
    #expect(await endpoints.error(of: endpoint) != nil)
  }

  @Test func `a server that closes within the header ends the process`() async {
    await withKnownIssue {
      await #expect(processExitsWith: .success) { try await Self.sends("/cut-header") }
    }
  }

  @Test func `a redirect to an IPv6 address without a scheme ends the process`() async {
    await withKnownIssue {
      await #expect(processExitsWith: .success) {
        try await Self.sends("/to", ["url": "//[::1]:1/"])
      }
    }
  }
}
