CREATE SEQUENCE "audit_feed" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "request_keys" (
	"scope" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"attempt" text COLLATE "C" NOT NULL,
	"answer" jsonb,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "request_keys_scope_key_pk" PRIMARY KEY("scope","key")
);
--> statement-breakpoint
ALTER TABLE "audit" ADD COLUMN "feed" bigint;--> statement-breakpoint
UPDATE "audit" SET "feed" = "id";--> statement-breakpoint
SELECT setval('audit_feed', coalesce((SELECT max("id") FROM "audit"), 0) + 1, false);--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "configured" jsonb;--> statement-breakpoint
ALTER TABLE "policies" ADD COLUMN "reason" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "request_keys_by_expiry" ON "request_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_by_feed" ON "audit" USING btree ("feed");--> statement-breakpoint
CREATE INDEX "audit_by_catalog_feed" ON "audit" USING btree ("catalog","feed");--> statement-breakpoint
CREATE INDEX "audit_unfed" ON "audit" USING btree ("id") WHERE feed is null;