import { ApiError, RecordNotFound, type Response } from './apiError.mts';

const refusal = (status: number, message: string): Response => ({
	status,
	body: { message, success: false },
});

/** 400: a refusal of update campaign status (public-service.md, same operation: S1; assumption: campaign-errors). */
export class CampaignRefusal extends ApiError {
	override readonly response: Response;

	constructor(message: string) {
		super(400, message);
		this.response = refusal(400, message);
	}
}

/** 404 of the same operation. */
export class CampaignNotFound extends RecordNotFound {
	override readonly response = refusal(404, 'Campaign not found.');
	override readonly forbidden = 'Access denied - Campaign does not belong to authenticated user.';

	constructor(isOfAnother: boolean) {
		super('Campaign', isOfAnother);
	}
}
