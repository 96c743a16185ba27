internal import MessageBus

extension PortalExchange {
  /// Limits that allow more files than are reported; a larger answer is rejected as a whole.
  ///
  /// A URI needs three bytes for each escaped byte of a path.
  private static let fileLimits = BusLimits(text: FileURI.longest, values: 1 << 16, depth: 8)

  /// Asks the user to choose files.
  static func files(_ request: PortalFileRequest, on address: BusAddress) async -> PortalFileReply {
    let texts = [request.title, request.acceptLabel, request.application]
    guard !texts.contains(where: { $0?.utf8.contains(0) == true }) else {
      return PortalFileReply(.failed("a text of the request contains a NUL byte"))
    }
    let exchange = PortalExchange(
      application: request.application, timeout: request.timeout, limits: fileLimits)
    do throws(PortalTrouble) {
      let answered = try await exchange.ask(on: address) { PortalCalls.openFile(request, $0) }
      guard answered.response == .granted else {
        return PortalFileReply(answered.response.outcome)
      }
      return PortalReading.files(answered.results)
        ?? PortalFileReply(.failed("the portal sent an invalid reply"))
    } catch {
      return PortalFileReply(error.outcome)
    }
  }
}
